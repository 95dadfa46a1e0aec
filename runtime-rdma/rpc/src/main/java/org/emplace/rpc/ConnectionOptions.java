// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.time.Duration;
import java.util.Collection;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * How a connection is made.
 *
 * @param connectTimeout bound for reaching the peer and setting the connection up; positive
 * @param transferTimeout how long a call waits for an RDMA operation before the connection is given up; positive. A transfer waits
 *     behind others, so this should be at least the time that the slowest link needs for everything in flight. It should be at least a tenth of a second,
 *     because a provider may report the end of a Send late
 * @param minimumDrain bytes that a peer has to take, within each {@code transferTimeout}, of what waits for it, or else its connection is closed; not
 *     negative. If less than that waits, the peer has to take all of it
 * @param keepAlive how long until a peer that has vanished is noticed; with RDMA devices, plus the time for which the network retransmits. Idle
 *     connections probe the peer; a {@linkplain org.emplace.Rpc#client client} that waits for replies calls procedure 0. At least the time that the
 *     slowest link needs for the largest message, and at least three seconds
 * @param credits the most calls in flight, as far as the peer grants them (over TCP: this many); positive
 * @param backwardCredits the most calls from server to client in flight, in {@linkplain RpcConnection#enableBackwardCalls backward direction};
 *     positive. A server requests, and a client grants, this many, separately from {@code credits}
 * @param inlineThreshold largest message in bytes that this side receives in one Send over RDMA; at least 1024. If empty, it is {@link
 *     #DEFAULT_INLINE_THRESHOLD} or what {@linkplain #forPrograms programs recommend}
 * @param maximumMessage largest RPC message in bytes to accept, chunks included; positive
 * @param observer is told of every completed call
 */
public record ConnectionOptions(
        Duration connectTimeout,
        Duration transferTimeout,
        int minimumDrain,
        Duration keepAlive,
        int credits,
        int backwardCredits,
        OptionalInt inlineThreshold,
        int maximumMessage,
        CallObserver observer) {

    /** The inline threshold in bytes, if the options set none and no program recommends a larger one. */
    public static final int DEFAULT_INLINE_THRESHOLD = 8192;

    /** Half of it is the least that sockets can be told to wait, a second, and a little. */
    private static final Duration SHORTEST_KEEP_ALIVE = Duration.ofSeconds(3);

    /**
     * Ten seconds to connect, a minute for a transfer, 64 KiB a minute at least, a minute to notice that a peer has vanished, 64 credits, 16 backward, no
     * inline threshold, 4 MiB messages, no observer.
     */
    public static final ConnectionOptions DEFAULT = new ConnectionOptions(
            Duration.ofSeconds(10),
            Duration.ofSeconds(60),
            64 << 10,
            Duration.ofSeconds(60),
            64,
            16,
            OptionalInt.empty(),
            4 << 20,
            CallObserver.NONE);

    /** Checks the values. */
    public ConnectionOptions {
        if (connectTimeout.compareTo(Duration.ZERO) <= 0
                || transferTimeout.compareTo(Duration.ZERO) <= 0
                || minimumDrain < 0
                || keepAlive.compareTo(SHORTEST_KEEP_ALIVE) < 0
                || credits <= 0
                || backwardCredits <= 0
                || inlineThreshold.orElse(DEFAULT_INLINE_THRESHOLD) < 1024
                || maximumMessage <= 0) {
            throw new IllegalArgumentException("connection options out of range: timeouts " + connectTimeout + " and "
                    + transferTimeout + ", minimum drain " + minimumDrain + ", keep-alive " + keepAlive + ", credits "
                    + credits + ", backward credits " + backwardCredits
                    + ", inline threshold " + inlineThreshold.orElse(DEFAULT_INLINE_THRESHOLD)
                    + ", maximum message " + maximumMessage);
        }
    }

    /** These options with another time limit for the set-up. */
    public ConnectionOptions withConnectTimeout(Duration timeout) {
        return with(changed -> changed.connectTimeout = timeout);
    }

    /** These options with another time limit for RDMA operations and for what waits to be taken. */
    public ConnectionOptions withTransferTimeout(Duration timeout) {
        return with(changed -> changed.transferTimeout = timeout);
    }

    /** These options with another least number of bytes for a peer to take. */
    public ConnectionOptions withMinimumDrain(int bytes) {
        return with(changed -> changed.minimumDrain = bytes);
    }

    /** These options with another time until a peer that has vanished is noticed. */
    public ConnectionOptions withKeepAlive(Duration bound) {
        return with(changed -> changed.keepAlive = bound);
    }

    /** These options with another number of credits. */
    public ConnectionOptions withCredits(int credits) {
        return with(changed -> changed.credits = credits);
    }

    /** These options with another number of credits in backward direction. */
    public ConnectionOptions withBackwardCredits(int credits) {
        return with(changed -> changed.backwardCredits = credits);
    }

    /** These options with an inline threshold, whatever programs recommend. */
    public ConnectionOptions withInlineThreshold(int bytes) {
        return with(changed -> changed.inlineThreshold = OptionalInt.of(bytes));
    }

    /**
     * These options for connections on which programs are called or served. If the options set no inline threshold, it becomes the largest that the
     * programs' bindings recommend, but at least {@link #DEFAULT_INLINE_THRESHOLD}. Over RDMA it counts in whole KiB, up to 256 KiB (RFC 8797).
     */
    public ConnectionOptions forPrograms(Collection<RpcProgram> programs) {
        return inlineThreshold.isPresent()
                ? this
                : withInlineThreshold(programs.stream()
                        .mapToInt(program -> program.inlineThreshold().orElse(0))
                        .reduce(DEFAULT_INLINE_THRESHOLD, Math::max));
    }

    /** These options with another limit for the messages to accept. */
    public ConnectionOptions withMaximumMessage(int bytes) {
        return with(changed -> changed.maximumMessage = bytes);
    }

    /** These options with an observer. */
    public ConnectionOptions withObserver(CallObserver observer) {
        return with(changed -> changed.observer = observer);
    }

    private ConnectionOptions with(Consumer<Change> change) {
        Change changed = new Change(this);
        change.accept(changed);
        return changed.made();
    }

    /** The values of other options, one of which is to be changed. */
    private static final class Change {
        private Duration connectTimeout;
        private Duration transferTimeout;
        private int minimumDrain;
        private Duration keepAlive;
        private int credits;
        private int backwardCredits;
        private OptionalInt inlineThreshold;
        private int maximumMessage;
        private CallObserver observer;

        Change(ConnectionOptions before) {
            connectTimeout = before.connectTimeout;
            transferTimeout = before.transferTimeout;
            minimumDrain = before.minimumDrain;
            keepAlive = before.keepAlive;
            credits = before.credits;
            backwardCredits = before.backwardCredits;
            inlineThreshold = before.inlineThreshold;
            maximumMessage = before.maximumMessage;
            observer = before.observer;
        }

        ConnectionOptions made() {
            return new ConnectionOptions(
                    connectTimeout,
                    transferTimeout,
                    minimumDrain,
                    keepAlive,
                    credits,
                    backwardCredits,
                    inlineThreshold,
                    maximumMessage,
                    observer);
        }
    }
}
