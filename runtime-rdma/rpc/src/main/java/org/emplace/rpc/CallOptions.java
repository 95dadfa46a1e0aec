// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.time.Duration;

/**
 * How a call is made.
 *
 * @param timeout from the start of the call to its failure with {@link RpcException.Kind#TIMED_OUT}; positive
 * @param credential who calls
 * @param unboundedReply bytes to provide for the reply of a procedure whose results have no limit in the protocol; positive
 */
public record CallOptions(Duration timeout, Credential credential, int unboundedReply) {

    /** Sixty seconds, AUTH_NONE, 64 KiB. */
    public static final CallOptions DEFAULT = new CallOptions(Duration.ofSeconds(60), Credential.NONE, 64 * 1024);

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
        return new CallOptions(timeout, credential, unboundedReply);
    }

    /** These options with another credential. */
    public CallOptions withCredential(Credential credential) {
        return new CallOptions(timeout, credential, unboundedReply);
    }

    /** These options with another size for replies without a limit. */
    public CallOptions withUnboundedReply(int bytes) {
        return new CallOptions(timeout, credential, bytes);
    }
}
