// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.copy;

import java.io.IOException;

/** Receives a copy's progress and failures. Called by several threads; must not block for long. */
public interface CopyListener {

    /** Another file of this size will be copied. */
    void planned(long bytes);

    /** This number of further bytes has been copied. */
    void moved(long bytes);

    /**
     * A file or directory could not be copied. The copy goes on with the others.
     *
     * @param what the name of the file, for a message
     */
    void failed(String what, IOException cause);
}
