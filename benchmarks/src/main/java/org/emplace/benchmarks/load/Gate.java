// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.load;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Holds calls back until it is opened. Safe for use by several threads. */
public final class Gate {
    private final CompletableFuture<Void> opened = new CompletableFuture<>();

    /** Completes when the gate is opened. */
    public CompletionStage<Void> opened() {
        return opened.minimalCompletionStage();
    }

    /** Opens the gate. Idempotent. */
    public void open() {
        opened.complete(null);
    }
}
