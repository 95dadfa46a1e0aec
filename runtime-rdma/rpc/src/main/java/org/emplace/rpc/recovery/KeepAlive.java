// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.recovery;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.emplace.reactor.Timekeeper;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.transport.RpcTransport.Connection;
import org.jspecify.annotations.Nullable;

/**
 * Detects that the peer no longer responds while calls wait for replies. The connection itself may not detect it, if
 * its bytes were acknowledged or are still being retransmitted. If no reply arrives for half of the time limit, the
 * client calls procedure 0, which every program has. If that call gets no reply in the other half, the client closes
 * the connection. If there is no credit for another call, the peer may be busy with the calls that it has. The client
 * then tries to make another connection, and closes the existing one only if nothing answers. Safe for use by several
 * threads.
 */
final class KeepAlive {
    private static final System.Logger LOG = System.getLogger(KeepAlive.class.getName());

    private static final int MOST_DOUBLINGS = 6;

    private final RecoveringConnection client;
    private final Attempts attempts;
    private final Duration half;
    private final AtomicInteger unanswered = new AtomicInteger();
    private final AtomicBoolean looking = new AtomicBoolean();
    private volatile boolean replied;
    /**
     * The number of connections closed since the last reply. Each connection gets twice the time of the previous one,
     * because the peer may only be slow.
     */
    private volatile int givenUp;

    private volatile @Nullable Procedure<?, ?> called;
    private volatile Timekeeper.@Nullable Timer timer;
    private volatile boolean closed;

    /**
     * @param attempts makes the other connection
     * @param bound the time within which to detect it
     */
    KeepAlive(RecoveringConnection client, Attempts attempts, Duration bound) {
        this.client = client;
        this.attempts = attempts;
        this.half = bound.dividedBy(2);
    }

    /** Called when a call is made. */
    void called(Procedure<?, ?> procedure) {
        called = procedure;
        unanswered.incrementAndGet();
        lookWhileUnanswered();
    }

    /** Called when a call is over. */
    void completed() {
        unanswered.decrementAndGet();
    }

    /** Called when the peer has replied. */
    void replyReceived() {
        if (!replied) {
            replied = true;
        }
    }

    /** Whether a call waits for a reply. */
    boolean isAwaited() {
        return unanswered.get() > 0;
    }

    private void lookWhileUnanswered() {
        if (isAwaited() && !looking.get() && looking.compareAndSet(false, true)) {
            replied = false;
            try {
                timer = client.time().after(silenceAllowed(), this::look);
            } catch (RuntimeException | Error broken) {
                // The next call tries again.
                looking.set(false);
                throw broken;
            }
            if (closed) {
                close();
            }
        }
    }

    /** Stops watching. */
    void close() {
        closed = true;
        Timekeeper.Timer latest = timer;
        if (latest != null) {
            latest.cancel();
        }
    }

    private void lookAgain() {
        looking.set(false);
        lookWhileUnanswered();
    }

    private Duration silenceAllowed() {
        return half.multipliedBy(1L << givenUp);
    }

    private void look() {
        Connection connection = client.current();
        if (replied) {
            givenUp = 0;
        }
        if (replied || !isAwaited() || connection == null) {
            lookAgain();
        } else {
            try {
                client.threads().execute(() -> findOut(connection));
            } catch (RuntimeException | Error broken) {
                lookAgain();
                LOG.log(Level.WARNING, client + ": cannot find out whether the peer still replies", broken);
            }
        }
    }

    private void findOut(Connection connection) {
        boolean asked = false;
        try {
            if (connection.hasCredit()) {
                ask(connection, Objects.requireNonNull(called));
                asked = true;
            } else if (!attempts.isAnswered()) {
                giveUp(connection, "and another connection cannot be made");
            }
        } finally {
            if (!asked) {
                lookAgain();
            }
        }
    }

    @SuppressWarnings("NullAway") // Void has no other value
    private void ask(Connection connection, Procedure<?, ?> latest) {
        Procedure<Void, Void> nothing = Procedure.ofNull(latest.program());
        connection
                .call(
                        client.newXid(),
                        nothing,
                        null,
                        Destinations.none(),
                        CallOptions.DEFAULT.withTimeout(silenceAllowed()))
                .completion()
                .whenComplete((done, failure) -> {
                    try {
                        if (isTimeout(failure)) {
                            giveUp(connection, "not even to a call of procedure 0");
                        }
                    } finally {
                        lookAgain();
                    }
                });
    }

    private void giveUp(Connection silent, String why) {
        if (!replied) {
            String message = silent + ": the peer has not replied for "
                    + silenceAllowed().toSeconds() + " s, " + why;
            givenUp = Math.min(givenUp + 1, MOST_DOUBLINGS);
            client.disconnected(silent, new RpcException(Kind.DISCONNECTED, message));
        }
    }

    private static boolean isTimeout(@Nullable Throwable failure) {
        return RecoveredCall.causeOf(failure) instanceof RpcException known && known.kind() == Kind.TIMED_OUT;
    }
}
