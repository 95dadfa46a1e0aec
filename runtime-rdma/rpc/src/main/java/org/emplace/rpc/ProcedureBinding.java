// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.function.ToLongFunction;
import org.emplace.rpc.ResultPlaces.Limits;

/**
 * The Upper Layer Binding of one procedure (RFC 8166 section 6), in the form that transports use. Generated code
 * creates it.
 *
 * @param argumentsEligible whether eligible items in the arguments may become Read chunks
 * @param results the eligible items of the results, which may become Write chunks
 * @param replyBound computes from the arguments the largest encoded size in bytes of the results without eligible
 *     items; {@link #UNBOUNDED} if the protocol has no limit
 * @param readChunkLimit the maximum number of Read chunks of a call
 * @param writeChunkLimit the maximum number of Write chunks of a call
 * @param idempotent whether running a call twice has the same effect as running it once; if not, a server keeps the
 *     reply for some time, to answer duplicates of the call
 * @param violation how a responder answers a call that violates the binding
 * @param <A> the arguments of the procedure
 * @param <R> its results
 */
public record ProcedureBinding<A, R>(
        boolean argumentsEligible,
        ResultOrder<A, R> results,
        ToLongFunction<A> replyBound,
        int readChunkLimit,
        int writeChunkLimit,
        boolean idempotent,
        Violation violation) {

    /** The reply bound of a procedure whose results the protocol does not limit. */
    public static final long UNBOUNDED = -1;

    /**
     * How a responder answers a call that violates the binding. See draft-ietf-nfsv4-rfc5666bis-01 section 6.3.
     */
    public enum Violation {
        /** The RPC error GARBAGE_ARGS. */
        GARBAGE_ARGS,
        /** RDMA_ERROR with ERR_CHUNK. */
        ERR_CHUNK
    }

    /**
     * Returns the binding of a procedure without eligible items.
     *
     * @param replyBound see the component
     * @param idempotent see the component
     */
    public static <A, R> ProcedureBinding<A, R> nothingEligible(ToLongFunction<A> replyBound, boolean idempotent) {
        return new ProcedureBinding<>(false, ResultOrder.none(), replyBound, 0, 0, idempotent, Violation.GARBAGE_ARGS);
    }

    /** What limits the memory for the results of a call over a connection that accepts messages of so many bytes. */
    public Limits resultLimits(int maxMessage, CallOptions options) {
        return new Limits(writeChunkLimit, maxMessage, options.unboundedReplySize());
    }

    /** Whether eligible items in the results may become Write chunks. */
    public boolean resultsEligible() {
        return !results.isEmpty();
    }
}
