// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import org.emplace.xdr.XdrCodec;

/**
 * One procedure of a program's version. Generated code has a constant for each procedure, to pass to {@link
 * RpcConnection#call} and {@link RpcService.Builder}.
 *
 * @param program the version of the program
 * @param number the procedure number, unsigned 32 bits
 * @param name the name in the protocol's definition, such as {@code NFSPROC3_READ}
 * @param arguments encodes and decodes the arguments
 * @param results encodes and decodes the results
 * @param binding the Upper Layer Binding of this procedure
 * @param <A> the arguments; {@link Void} if there are none
 * @param <R> the results; {@link Void} if there are none
 */
public record Procedure<A, R>(
        RpcProgram program,
        long number,
        String name,
        XdrCodec<A> arguments,
        XdrCodec<R> results,
        ProcedureBinding<A, R> binding) {

    /** Returns procedure 0 of a program, which does nothing (RFC 5531 section 12.1), with the name {@code NULL}. */
    @SuppressWarnings("NullAway") // Void has no other value
    public static Procedure<Void, Void> ofNull(RpcProgram program) {
        return new Procedure<>(
                program, 0, "NULL", XdrCodec.VOID, XdrCodec.VOID, ProcedureBinding.nothingEligible(none -> 0, true));
    }

    @Override
    public String toString() {
        return name;
    }
}
