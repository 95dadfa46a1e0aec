// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.load;

import java.util.concurrent.CompletionStage;

/** A connection to a server whose costs are measured. */
public interface Connection extends AutoCloseable {

    /** Makes a NULL call and waits for the reply. */
    void callNull() throws Exception;

    /** Starts a call that the server holds until it is told to release such calls. */
    CompletionStage<?> callHeld();

    @Override
    void close();
}
