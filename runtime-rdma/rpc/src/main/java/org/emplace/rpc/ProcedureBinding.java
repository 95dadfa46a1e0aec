// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The Upper Layer Binding of one procedure (RFC 8166 section 6), in the form that a transport acts on.
 *
 * @param argumentsEligible whether the payloads in the arguments may become Read chunks
 * @param resultsEligible whether the payloads in the results may go by Write chunks
 * @param resultSizes computes from the arguments the largest size in bytes of each eligible result, in the order of the
 *     results: the sizes of the Write chunks to offer
 * @param replyBound computes from the arguments the largest encoded size in bytes of the results, without the bytes of eligible items;
 *     {@link #UNBOUNDED} if the protocol sets no limit
 * @param readChunkLimit how many Read chunks a call may have
 * @param writeChunkLimit how many Write chunks a call may offer
 * @param idempotent whether running the call twice is as good as once; if not, a server keeps the reply for a while to answer duplicates of the call
 * @param violation how a responder answers a call that breaks the binding
 */
public record ProcedureBinding<A>(
        boolean argumentsEligible,
        boolean resultsEligible,
        Function<A, List<Long>> resultSizes,
        ToLongFunction<A> replyBound,
        int readChunkLimit,
        int writeChunkLimit,
        boolean idempotent,
        Violation violation) {

    /** The reply bound of a procedure whose results have no limit. */
    public static final long UNBOUNDED = -1;

    /** A responder's answer to a call that breaks the binding (draft-ietf-nfsv4-rfc5666bis-01 section 6.3). */
    public enum Violation {
        /** The RPC error GARBAGE_ARGS. */
        GARBAGE_ARGS,
        /** RDMA_ERROR with ERR_CHUNK. */
        ERR_CHUNK
    }

    /**
     * The binding of a procedure without eligible items.
     *
     * @param replyBound as the component of this name
     * @param idempotent as the component of this name
     */
    public static <A> ProcedureBinding<A> nothingEligible(ToLongFunction<A> replyBound, boolean idempotent) {
        return new ProcedureBinding<>(
                false, false, arguments -> List.of(), replyBound, 0, 0, idempotent, Violation.GARBAGE_ARGS);
    }
}
