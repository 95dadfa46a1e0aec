// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.function.ToLongFunction;
import org.emplace.rpc.ResultPlaces.Limits;

/**
 * The Upper Layer Binding of one procedure (RFC 8166 section 6), in the form that transports use. Generated code
 * creates it. Immutable: each {@code with} returns another object.
 *
 * @param <A> the arguments of the procedure
 * @param <R> its results
 */
public final class ProcedureBinding<A, R> {

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

    private final boolean idempotent;
    private final ToLongFunction<A> replyBound;
    private final int readChunkLimit;
    private final int writeChunkLimit;
    private final ResultOrder<A, R> results;
    private final Violation violation;

    private ProcedureBinding(
            boolean idempotent,
            ToLongFunction<A> replyBound,
            int readChunkLimit,
            int writeChunkLimit,
            ResultOrder<A, R> results,
            Violation violation) {
        this.idempotent = idempotent;
        this.replyBound = replyBound;
        this.readChunkLimit = readChunkLimit;
        this.writeChunkLimit = writeChunkLimit;
        this.results = results;
        this.violation = violation;
    }

    /**
     * Returns the binding of a procedure without eligible items, of which running a call twice has the same effect as
     * running it once.
     *
     * @param replyBound see {@link #replyBound}
     */
    public static <A, R> ProcedureBinding<A, R> idempotent(ToLongFunction<A> replyBound) {
        return new ProcedureBinding<>(true, replyBound, 0, 0, ResultOrder.none(), Violation.GARBAGE_ARGS);
    }

    /**
     * Returns the binding of a procedure without eligible items, of which running a call twice may have another effect
     * than running it once. A server keeps the reply for some time, to answer duplicates of the call.
     *
     * @param replyBound see {@link #replyBound}
     */
    public static <A, R> ProcedureBinding<A, R> nonIdempotent(ToLongFunction<A> replyBound) {
        return new ProcedureBinding<>(false, replyBound, 0, 0, ResultOrder.none(), Violation.GARBAGE_ARGS);
    }

    /** Whether running a call twice has the same effect as running it once. */
    public boolean isIdempotent() {
        return idempotent;
    }

    /**
     * Computes from the arguments the largest encoded size in bytes of the results without eligible items; {@link
     * #UNBOUNDED} if the protocol has no limit.
     */
    public ToLongFunction<A> replyBound() {
        return replyBound;
    }

    /** The maximum number of Read chunks of a call; 0 if the arguments have no eligible items. */
    public int readChunkLimit() {
        return readChunkLimit;
    }

    /** Returns this binding with eligible items in the arguments; see {@link #readChunkLimit}. */
    public ProcedureBinding<A, R> withReadChunks(int limit) {
        return new ProcedureBinding<>(idempotent, replyBound, limit, writeChunkLimit, results, violation);
    }

    /** Whether eligible items in the arguments may become Read chunks. */
    public boolean argumentsEligible() {
        return readChunkLimit > 0;
    }

    /** The maximum number of Write chunks of a call. */
    public int writeChunkLimit() {
        return writeChunkLimit;
    }

    /** The eligible items of the results, which may become Write chunks. */
    public ResultOrder<A, R> results() {
        return results;
    }

    /** Returns this binding with eligible items in the results; see {@link #writeChunkLimit} and {@link #results}. */
    public ProcedureBinding<A, R> withWriteChunks(int limit, ResultOrder<A, R> eligible) {
        return new ProcedureBinding<>(idempotent, replyBound, readChunkLimit, limit, eligible, violation);
    }

    /** Whether eligible items in the results may become Write chunks. */
    public boolean resultsEligible() {
        return !results.isEmpty();
    }

    /** What limits the memory for the results of a call over a connection that accepts messages of so many bytes. */
    public Limits resultLimits(int maxMessage, CallOptions options) {
        return new Limits(writeChunkLimit, maxMessage, options.unboundedReplySize());
    }

    /** How a responder answers a call that violates the binding. */
    public Violation violation() {
        return violation;
    }

    /** See {@link #violation}. */
    public ProcedureBinding<A, R> withViolation(Violation answer) {
        return new ProcedureBinding<>(idempotent, replyBound, readChunkLimit, writeChunkLimit, results, answer);
    }
}
