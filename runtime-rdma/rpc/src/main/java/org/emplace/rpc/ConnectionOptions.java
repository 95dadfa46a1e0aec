// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.time.Duration;
import java.util.Collection;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The options of a connection, and of how a {@linkplain org.emplace.Rpc#client client} makes another one when it has lost it.
 * Immutable: each {@code with} returns other options.
 */
public final class ConnectionOptions {

    /** The inline threshold in bytes if the options set none and no program recommends a larger one. */
    public static final int DEFAULT_INLINE_THRESHOLD = 8192;

    private static final int DEFAULT_MAX_MESSAGE = 4 << 20;

    /** Half of this is a little more than one second, the shortest probe interval of a socket. */
    private static final Duration SHORTEST_KEEP_ALIVE = Duration.ofSeconds(3);

    /**
     * Ten seconds to connect, 60 seconds for a transfer with a minimum drain of 64 KiB, a keep-alive of 60 seconds, 64
     * credits, 16 backward credits, no inline threshold, messages of at most 4 MiB, delays of 100 ms to ten seconds before
     * further attempts to connect, and no observers.
     */
    public static final ConnectionOptions DEFAULT = new ConnectionOptions(new Values());

    /** Never changed after the constructor. */
    private final Values values;

    /** @throws IllegalArgumentException if a value is out of range */
    private ConnectionOptions(Values values) {
        values.requireInRange();
        this.values = values;
    }

    private ConnectionOptions with(Consumer<Values> change) {
        Values changed = new Values(values);
        change.accept(changed);
        return new ConnectionOptions(changed);
    }

    /** The time limit for connection set-up. */
    public Duration connectTimeout() {
        return values.connectTimeout;
    }

    /**
     * See {@link #connectTimeout}.
     *
     * @throws IllegalArgumentException if the timeout is not positive
     */
    public ConnectionOptions withConnectTimeout(Duration timeout) {
        return with(changed -> changed.connectTimeout = timeout);
    }

    /**
     * How long an RDMA operation may take before the connection is closed. A transfer waits for earlier ones, so choose at
     * least the time that the slowest link needs for all transfers in flight. Choose at least a tenth of a second, because a
     * provider may report the end of a Send late. Over TCP, the connection is closed if a record is still incomplete between
     * one and two such times after its first byte.
     */
    public Duration transferTimeout() {
        return values.transferTimeout;
    }

    /**
     * See {@link #transferTimeout}.
     *
     * @throws IllegalArgumentException if the timeout is not positive
     */
    public ConnectionOptions withTransferTimeout(Duration timeout) {
        return with(changed -> changed.transferTimeout = timeout);
    }

    /**
     * The bytes of waiting data that the peer must receive within each {@link #transferTimeout}, otherwise the connection is
     * closed. If less data waits, the peer must receive all of it; if much more waits, a thirtieth of that.
     */
    public int minDrain() {
        return values.minDrain;
    }

    /**
     * See {@link #minDrain}.
     *
     * @throws IllegalArgumentException if the number is negative
     */
    public ConnectionOptions withMinDrain(int bytes) {
        return with(changed -> changed.minDrain = bytes);
    }

    /**
     * The time after which a peer that no longer responds is detected; with RDMA devices, the time for which the network
     * retransmits is added. To find out, an idle connection probes the peer, and a {@linkplain org.emplace.Rpc#client client}
     * that waits for replies calls procedure 0.
     */
    public Duration keepAlive() {
        return values.keepAlive;
    }

    /**
     * See {@link #keepAlive}.
     *
     * @param bound at least the time that the slowest link needs for the largest message
     * @throws IllegalArgumentException if the bound is less than three seconds
     */
    public ConnectionOptions withKeepAlive(Duration bound) {
        return with(changed -> changed.keepAlive = bound);
    }

    /** The maximum number of calls in flight. Over RDMA, the peer may grant fewer. */
    public int credits() {
        return values.credits;
    }

    /**
     * See {@link #credits}.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public ConnectionOptions withCredits(int credits) {
        return with(changed -> changed.credits = credits);
    }

    /**
     * The maximum number of calls from server to client in flight, in the {@linkplain
     * ServerCall.Connection#enableBackwardCalls backward direction}. A server requests, and a client grants, this number,
     * separately from {@link #credits}.
     */
    public int backwardCredits() {
        return values.backwardCredits;
    }

    /**
     * See {@link #backwardCredits}.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public ConnectionOptions withBackwardCredits(int credits) {
        return with(changed -> changed.backwardCredits = credits);
    }

    /**
     * The length in bytes of the largest message that this side receives in one Send over RDMA. If empty, it is {@link
     * #DEFAULT_INLINE_THRESHOLD} or what {@linkplain #forPrograms programs recommend}.
     */
    public OptionalInt inlineThreshold() {
        return values.inlineThreshold;
    }

    /**
     * Returns these options with an inline threshold that does not depend on programs.
     *
     * @throws IllegalArgumentException if the number is less than 1024
     */
    public ConnectionOptions withInlineThreshold(int bytes) {
        return with(changed -> changed.inlineThreshold = OptionalInt.of(bytes));
    }

    /**
     * Returns these options for connections over which {@code programs} are called or served. If the options have no
     * inline threshold, it becomes the largest that the programs' bindings recommend, but at least {@link
     * #DEFAULT_INLINE_THRESHOLD}. A connection advertises it in whole KiB, up to 256 KiB (RFC 8797 section 4). In the same
     * way, the length of the largest message becomes the largest of the programs' bindings, but at least the default.
     */
    public ConnectionOptions forPrograms(Collection<RpcProgram> programs) {
        return with(changed -> {
            changed.inlineThreshold =
                    orLargest(inlineThreshold(), DEFAULT_INLINE_THRESHOLD, programs, RpcProgram::inlineThreshold);
            changed.maxMessage = orLargest(values.maxMessage, DEFAULT_MAX_MESSAGE, programs, RpcProgram::maxMessage);
        });
    }

    private static OptionalInt orLargest(
            OptionalInt stated,
            int least,
            Collection<RpcProgram> programs,
            Function<RpcProgram, OptionalInt> ofBinding) {
        return stated.isPresent()
                ? stated
                : OptionalInt.of(programs.stream()
                        .mapToInt(program -> ofBinding.apply(program).orElse(0))
                        .reduce(least, Math::max));
    }

    /**
     * The length in bytes of the largest RPC message to accept, including chunks and headers, and, if it is more than the
     * default, of the largest call to send, and of the largest reply to send over TCP. A peer that accepts less refuses the
     * message or ends the connection, so set a larger one at both ends. By default, 4 MiB or what {@linkplain #forPrograms
     * programs' bindings} state.
     */
    public int maxMessage() {
        return values.maxMessage.orElse(DEFAULT_MAX_MESSAGE);
    }

    /**
     * See {@link #maxMessage}.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public ConnectionOptions withMaxMessage(int bytes) {
        return with(changed -> changed.maxMessage = OptionalInt.of(bytes));
    }

    /** Observes the calls. */
    public CallObserver observer() {
        return values.observer;
    }

    /** See {@link #observer}. */
    public ConnectionOptions withObserver(CallObserver observer) {
        return with(changed -> changed.observer = observer);
    }

    /**
     * A client's delay before its second attempt to connect again. If calls were answered over the lost connection, it makes
     * the first attempt at once. The delay before further attempts doubles each time. Each delay is shortened by a random
     * part, at most half of it, so that the clients of a restarted server do not all connect at the same time.
     */
    public Duration initialDelay() {
        return values.initialDelay;
    }

    /** A client's longest delay before an attempt to connect again. */
    public Duration maxDelay() {
        return values.maxDelay;
    }

    /**
     * Returns these options with other delays before a client's attempts to connect again.
     *
     * @throws IllegalArgumentException if the initial delay is not positive, or the longest one shorter than it
     */
    public ConnectionOptions withDelays(Duration initial, Duration max) {
        return with(changed -> {
            changed.initialDelay = initial;
            changed.maxDelay = max;
        });
    }

    /**
     * Whether a {@linkplain org.emplace.Rpc#client client} makes its first connection when it makes its first call, or
     * serves its peer, and not when it is created. Calls wait for that connection, as long as their timeouts and
     * {@linkplain CallOptions.Recovery options} say. A {@link #recoveryObserver} hears of failed attempts, but not of this
     * connection, which is no reconnection. Servers and {@link org.emplace.Rpc#connect} ignore this option.
     */
    public boolean lazyConnect() {
        return values.lazyConnect;
    }

    /** See {@link #lazyConnect}. */
    public ConnectionOptions withLazyConnect(boolean lazy) {
        return with(changed -> changed.lazyConnect = lazy);
    }

    /** Observes how a client loses and makes connections. */
    public RecoveryObserver recoveryObserver() {
        return values.recoveryObserver;
    }

    /** See {@link #recoveryObserver}. */
    public ConnectionOptions withRecoveryObserver(RecoveryObserver observer) {
        return with(changed -> changed.recoveryObserver = observer);
    }

    @Override
    public String toString() {
        return values.toString();
    }

    /** The values, by default those of {@link #DEFAULT}. */
    private static final class Values {
        private Duration connectTimeout = Duration.ofSeconds(10);
        private Duration transferTimeout = Duration.ofSeconds(60);
        private int minDrain = 64 << 10;
        private Duration keepAlive = Duration.ofSeconds(60);
        private int credits = 64;
        private int backwardCredits = 16;
        private OptionalInt inlineThreshold = OptionalInt.empty();
        private OptionalInt maxMessage = OptionalInt.empty();
        private CallObserver observer = CallObserver.NONE;
        private Duration initialDelay = Duration.ofMillis(100);
        private Duration maxDelay = Duration.ofSeconds(10);
        private boolean lazyConnect;
        private RecoveryObserver recoveryObserver = RecoveryObserver.NONE;

        Values() {}

        Values(Values before) {
            connectTimeout = before.connectTimeout;
            transferTimeout = before.transferTimeout;
            minDrain = before.minDrain;
            keepAlive = before.keepAlive;
            credits = before.credits;
            backwardCredits = before.backwardCredits;
            inlineThreshold = before.inlineThreshold;
            maxMessage = before.maxMessage;
            observer = before.observer;
            initialDelay = before.initialDelay;
            maxDelay = before.maxDelay;
            lazyConnect = before.lazyConnect;
            recoveryObserver = before.recoveryObserver;
        }

        void requireInRange() {
            if (connectTimeout.compareTo(Duration.ZERO) <= 0
                    || transferTimeout.compareTo(Duration.ZERO) <= 0
                    || minDrain < 0
                    || keepAlive.compareTo(SHORTEST_KEEP_ALIVE) < 0
                    || credits <= 0
                    || backwardCredits <= 0
                    || inlineThreshold.orElse(DEFAULT_INLINE_THRESHOLD) < 1024
                    || maxMessage.orElse(DEFAULT_MAX_MESSAGE) <= 0
                    || initialDelay.compareTo(Duration.ZERO) <= 0
                    || maxDelay.compareTo(initialDelay) < 0) {
                throw new IllegalArgumentException("connection options out of range: " + this);
            }
        }

        @Override
        public String toString() {
            return "timeouts " + connectTimeout + " and " + transferTimeout + ", minimum drain " + minDrain
                    + ", keep-alive " + keepAlive + ", credits " + credits + ", backward credits " + backwardCredits
                    + ", inline threshold " + inlineThreshold.orElse(DEFAULT_INLINE_THRESHOLD) + ", maximum message "
                    + maxMessage.orElse(DEFAULT_MAX_MESSAGE) + ", delays " + initialDelay + " to " + maxDelay
                    + (lazyConnect ? ", connects when used" : "");
        }
    }
}
