// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.time.Duration;
import java.util.Collection;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * The options of a connection.
 *
 * @param connectTimeout time limit for connection set-up; positive
 * @param transferTimeout how long an RDMA operation may take before the connection is closed; positive. A transfer
 *     waits for earlier ones, so choose at least the time that the slowest link needs for all transfers in flight.
 *     Choose at least a tenth of a second, because a provider may report the end of a Send late. Over TCP, the
 *     connection is closed if a record is still incomplete between one and two such times after its first byte
 * @param minimumDrain bytes of waiting data that the peer must receive within each {@code transferTimeout}, otherwise
 *     the connection is closed; not negative. If less data waits, the peer must receive all of it; if much more waits, a
 *     thirtieth of that
 * @param keepAlive the time after which a peer that no longer responds is detected; with RDMA devices, the time for
 *     which the network retransmits is added. At least three seconds, and at least the time that the slowest link needs
 *     for the largest message. To find out, an idle connection probes the peer, and a {@linkplain
 *     org.emplace.Rpc#client client} that waits for replies calls procedure 0
 * @param credits the maximum number of calls in flight; positive. Over RDMA, the peer may grant fewer
 * @param backwardCredits the maximum number of calls from server to client in flight, in the {@linkplain
 *     ServerCall.Connection#enableBackwardCalls backward direction}; positive. A server requests, and a client grants, this
 *     number, separately from {@code credits}
 * @param inlineThreshold length in bytes of the largest message that this side receives in one Send over RDMA; at least
 *     1024. If empty, it is {@link #DEFAULT_INLINE_THRESHOLD} or what {@linkplain #forPrograms programs recommend}
 * @param maximumMessage length in bytes of the largest RPC message to accept, including chunks and headers, and, if it
 *     is more than the default, of the largest to send over TCP; positive. A peer that accepts less ends the connection,
 *     so set a larger one at both ends
 * @param observer observes the calls
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

    /** The inline threshold in bytes if the options set none and no program recommends a larger one. */
    public static final int DEFAULT_INLINE_THRESHOLD = 8192;

    /** Half of this is a little more than one second, the shortest probe interval of a socket. */
    private static final Duration SHORTEST_KEEP_ALIVE = Duration.ofSeconds(3);

    /**
     * Ten seconds to connect, 60 seconds for a transfer with a minimum drain of 64 KiB, a keep-alive of 60 seconds, 64
     * credits, 16 backward credits, no inline threshold, messages of at most 4 MiB, and no observer.
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

    /** @throws IllegalArgumentException if a value is out of range */
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

    /** Returns these options with another time limit for connection set-up. */
    public ConnectionOptions withConnectTimeout(Duration timeout) {
        return with(changed -> changed.connectTimeout = timeout);
    }

    /** Returns these options with another transfer timeout. */
    public ConnectionOptions withTransferTimeout(Duration timeout) {
        return with(changed -> changed.transferTimeout = timeout);
    }

    /** Returns these options with another minimum drain. */
    public ConnectionOptions withMinimumDrain(int bytes) {
        return with(changed -> changed.minimumDrain = bytes);
    }

    /** Returns these options with another keep-alive. */
    public ConnectionOptions withKeepAlive(Duration bound) {
        return with(changed -> changed.keepAlive = bound);
    }

    /** Returns these options with another number of credits. */
    public ConnectionOptions withCredits(int credits) {
        return with(changed -> changed.credits = credits);
    }

    /** Returns these options with another number of credits for the backward direction. */
    public ConnectionOptions withBackwardCredits(int credits) {
        return with(changed -> changed.backwardCredits = credits);
    }

    /** Returns these options with an inline threshold that does not depend on programs. */
    public ConnectionOptions withInlineThreshold(int bytes) {
        return with(changed -> changed.inlineThreshold = OptionalInt.of(bytes));
    }

    /**
     * Returns these options for connections over which {@code programs} are called or served. If the options have no
     * inline threshold, it becomes the largest that the programs' bindings recommend, but at least {@link
     * #DEFAULT_INLINE_THRESHOLD}. A connection advertises it in whole KiB, up to 256 KiB (RFC 8797 section 4).
     */
    public ConnectionOptions forPrograms(Collection<RpcProgram> programs) {
        return inlineThreshold.isPresent()
                ? this
                : withInlineThreshold(programs.stream()
                        .mapToInt(program -> program.inlineThreshold().orElse(0))
                        .reduce(DEFAULT_INLINE_THRESHOLD, Math::max));
    }

    /** Returns these options with another limit for received messages. */
    public ConnectionOptions withMaximumMessage(int bytes) {
        return with(changed -> changed.maximumMessage = bytes);
    }

    /** Returns these options with another observer. */
    public ConnectionOptions withObserver(CallObserver observer) {
        return with(changed -> changed.observer = observer);
    }

    private ConnectionOptions with(Consumer<Change> change) {
        Change changed = new Change(this);
        change.accept(changed);
        return changed.made();
    }

    /** The values of existing options, some of which are to be changed. */
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
