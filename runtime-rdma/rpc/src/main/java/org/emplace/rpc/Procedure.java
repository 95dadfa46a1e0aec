// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import org.emplace.xdr.XdrCodec;

/**
 * One procedure of a program's version: generated code holds one constant for each.
 *
 * @param program the program's version that has it
 * @param number procedure number, unsigned 32 bits
 * @param name as in the protocol's definition, for messages: {@code NFSPROC3_READ}
 * @param arguments encodes and decodes the arguments
 * @param results encodes and decodes the results
 * @param binding what the Upper Layer Binding says of this procedure
 */
public record Procedure<A, R>(
        RpcProgram program,
        long number,
        String name,
        XdrCodec<A> arguments,
        XdrCodec<R> results,
        ProcedureBinding<A> binding) {

    /** Procedure 0 of a program, which does nothing (RFC 5531 section 12.1), under the name {@code NULL}. */
    @SuppressWarnings("NullAway") // Void has no other value
    public static Procedure<Void, Void> nothing(RpcProgram program) {
        return new Procedure<>(
                program, 0, "NULL", XdrCodec.VOID, XdrCodec.VOID, ProcedureBinding.nothingEligible(none -> 0, true));
    }

    @Override
    public String toString() {
        return name;
    }
}
