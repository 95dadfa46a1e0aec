// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import java.io.IOException;

/** Receives a copy's progress and failures. Called by several threads; must not block for long. */
public interface CopyListener {

    /** A file of this size is to be copied too. */
    void planned(long bytes);

    /** So many bytes more have arrived where they go. */
    void moved(long bytes);

    /**
     * Something could not be copied; the rest is.
     *
     * @param what the file's name, as a message names it
     */
    void failed(String what, IOException cause);
}
