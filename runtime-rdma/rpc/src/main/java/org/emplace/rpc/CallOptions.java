// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.time.Duration;
import org.emplace.rpc.auth.AuthNone;
import org.emplace.rpc.auth.ClientAuth;

/**
 * How a call is made.
 *
 * @param timeout from the start of the call to its failure with {@link RpcException.Kind#TIMED_OUT}; positive
 * @param auth the caller, with its authentication flavor
 * @param unboundedReply bytes to provide for the reply of a procedure whose results have no limit in the protocol; positive
 * @param recovery what happens to the call if a {@linkplain org.emplace.Rpc#client client} loses its connection
 */
public record CallOptions(Duration timeout, ClientAuth auth, int unboundedReply, Recovery recovery) {

    /** Sixty seconds, AUTH_NONE, 64 KiB, {@link Recovery#SOFT}. */
    public static final CallOptions DEFAULT =
            new CallOptions(Duration.ofSeconds(60), AuthNone.INSTANCE, 64 * 1024, Recovery.SOFT);

    /** What happens to a call without a reply when its connection ends. Over a connection by {@code Rpc.connect} it always fails. */
    public enum Recovery {
        /** It is resent over the next connection, for as long as it takes: the timeout does not end it. */
        HARD,
        /** It is resent over the next connection until its timeout is over. */
        SOFT,
        /** It fails with {@link RpcException.Kind#DISCONNECTED}: its caller finds out whether it ran. */
        NEVER
    }

    /** Checks the values. */
    public CallOptions {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("a call's timeout must be positive: " + timeout);
        }
        if (unboundedReply <= 0) {
            throw new IllegalArgumentException("the size for an unbounded reply must be positive: " + unboundedReply);
        }
    }

    /** These options with another timeout. */
    public CallOptions withTimeout(Duration timeout) {
        return new CallOptions(timeout, auth, unboundedReply, recovery);
    }

    /** These options with another caller or authentication flavor, such as {@link org.emplace.rpc.auth.AuthSys}. */
    public CallOptions withAuth(ClientAuth auth) {
        return new CallOptions(timeout, auth, unboundedReply, recovery);
    }

    /** These options with another size for replies without a limit. */
    public CallOptions withUnboundedReply(int bytes) {
        return new CallOptions(timeout, auth, bytes, recovery);
    }

    /** These options with another treatment of the loss of a connection. */
    public CallOptions withRecovery(Recovery recovery) {
        return new CallOptions(timeout, auth, unboundedReply, recovery);
    }
}
