// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.load;

import java.util.concurrent.CompletionStage;

/** A connection to a server, of whose cost something is to be known. */
public interface Connection extends AutoCloseable {

    /** Calls the procedure that does nothing, and waits for it. */
    void callNull() throws Exception;

    /** Starts a call that the server does not answer before its {@link Gate} is opened. */
    CompletionStage<?> callHeld();

    @Override
    void close();
}
