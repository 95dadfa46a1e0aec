// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.event;

/** A completion queue as its {@link CompletionLoop} sees it. Called on the loop only. */
public interface CompletionSource {

    /** Takes completions and hands them on, a batch at most. Whether there were any. */
    boolean poll();

    /** Asks the device for one event at the next completion. Completions that are there already need another {@link #poll}. */
    void arm();
}
