// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.time.Duration;
import org.emplace.rpc.auth.AuthNone;
import org.emplace.rpc.auth.ClientAuth;

/** The options of a call. Immutable: each {@code with} returns other options. */
public final class CallOptions {

    /** A timeout of 60 seconds, AUTH_NONE, 64 KiB for unbounded replies, and {@link Recovery#SOFT}. */
    public static final CallOptions DEFAULT =
            new CallOptions(Duration.ofSeconds(60), AuthNone.INSTANCE, 64 * 1024, Recovery.SOFT);

    /**
     * What a client does with a call that has no reply when its connection ends. A call over a connection of {@code
     * Rpc.connect} always fails.
     */
    public enum Recovery {
        /** Resends it over the next connection, without a time limit: the timeout does not apply. */
        HARD,
        /** Resends it over the next connection, until its timeout expires. */
        SOFT,
        /**
         * Lets it fail with {@link RpcException.Kind#DISCONNECTED}; the application must find out whether the call ran.
         */
        NEVER
    }

    private final Duration timeout;
    private final ClientAuth auth;
    private final int unboundedReplySize;
    private final Recovery recovery;

    private CallOptions(Duration timeout, ClientAuth auth, int unboundedReplySize, Recovery recovery) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("the timeout of a call must be positive: " + timeout);
        }
        if (unboundedReplySize <= 0) {
            throw new IllegalArgumentException(
                    "the memory for an unbounded reply must be positive: " + unboundedReplySize);
        }
        this.timeout = timeout;
        this.auth = auth;
        this.unboundedReplySize = unboundedReplySize;
        this.recovery = recovery;
    }

    /** The time from the start of the call to its failure with {@link RpcException.Kind#TIMED_OUT}. */
    public Duration timeout() {
        return timeout;
    }

    /**
     * See {@link #timeout}.
     *
     * @throws IllegalArgumentException if the timeout is not positive
     */
    public CallOptions withTimeout(Duration timeout) {
        return new CallOptions(timeout, auth, unboundedReplySize, recovery);
    }

    /** The authentication flavor and the caller, such as an {@link org.emplace.rpc.auth.AuthSys}. */
    public ClientAuth auth() {
        return auth;
    }

    /** See {@link #auth}. */
    public CallOptions withAuth(ClientAuth auth) {
        return new CallOptions(timeout, auth, unboundedReplySize, recovery);
    }

    /**
     * Memory in bytes to provide over RDMA where the protocol sets no limit: for the reply without its eligible results,
     * and for each eligible result that the runtime allocates. If the memory is too small, the call fails with {@link
     * RpcException.Kind#CHUNK_ERROR} after it has run.
     */
    public int unboundedReplySize() {
        return unboundedReplySize;
    }

    /**
     * See {@link #unboundedReplySize}.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public CallOptions withUnboundedReplySize(int bytes) {
        return new CallOptions(timeout, auth, bytes, recovery);
    }

    /** What a {@linkplain org.emplace.Rpc#client client} does with the call if it loses its connection. */
    public Recovery recovery() {
        return recovery;
    }

    /** See {@link #recovery}. */
    public CallOptions withRecovery(Recovery recovery) {
        return new CallOptions(timeout, auth, unboundedReplySize, recovery);
    }

    @Override
    public String toString() {
        return "CallOptions[timeout=" + timeout + ", auth=" + auth + ", unboundedReplySize=" + unboundedReplySize
                + ", recovery=" + recovery + "]";
    }
}
