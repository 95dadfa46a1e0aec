// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.emplace.samples.nfs.server.store.Caller;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Threads that fail to resume the server's identity. If the tests do not run as root, callers do not act, and there is nothing to lose. */
class CredentialsTest {
    private static final Caller CLIENT = new Caller(1001, 2001, Set.of(5L));

    private Credentials credentials;

    @BeforeEach
    void read() throws IOException {
        credentials = Credentials.of(true);
    }

    @Test
    void aThreadTriesAgainToResumeTheServersIdentity() {
        inNewThread(() -> {
            int[] sets = new int[6];
            SystemCalls.capabilities(sets);
            // Restores the right to set groups only after the first attempt.
            int[] none = {0, sets[1], sets[2], 0, sets[4], sets[5]};
            credentials.call(CLIENT, () -> credentials.act() ? SystemCalls.setCapabilities(none) : 0);
            assertThat(credentials.call(CLIENT, () -> 7)).isEqualTo(7);
        });
    }

    @Test
    void aThreadThatLostTheServersIdentityServesNobody() {
        inNewThread(() -> {
            if (!credentials.act()) {
                return;
            }
            AtomicInteger calls = new AtomicInteger();
            assertThatThrownBy(() -> credentials.call(CLIENT, () -> SystemCalls.setCapabilities(new int[6])))
                    .isInstanceOf(Credentials.IdentityLost.class);
            assertThatThrownBy(() -> credentials.call(CLIENT, calls::incrementAndGet))
                    .isInstanceOf(Credentials.IdentityLost.class);
            assertThatThrownBy(() -> credentials.call(new Caller(0, 0, Set.of()), calls::incrementAndGet))
                    .isInstanceOf(Credentials.IdentityLost.class);
            assertThat(calls).hasValue(0);
        });
        assertThat(credentials.call(CLIENT, () -> 7)).isEqualTo(7);
    }

    /** Threads have their own capabilities, which end with them. */
    private static void inNewThread(Runnable step) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        new Thread(() -> {
                    try {
                        step.run();
                        done.complete(null);
                    } catch (Throwable e) {
                        done.completeExceptionally(e);
                    }
                })
                .start();
        done.join();
    }
}
