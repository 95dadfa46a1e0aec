// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import org.emplace.xdr.XdrCodec;

/**
 * One procedure of a program's version. Generated code has a constant for each procedure, to pass to {@link
 * RpcConnection#call} and {@link RpcService.Builder}. Immutable.
 *
 * @param <A> the arguments; {@link Void} if there are none
 * @param <R> the results; {@link Void} if there are none
 */
public final class Procedure<A, R> {
    private final RpcProgram program;
    private final long number;
    private final String name;
    private final XdrCodec<A> arguments;
    private final XdrCodec<R> results;
    private final ProcedureBinding<A, R> binding;

    private Procedure(
            RpcProgram program,
            long number,
            String name,
            XdrCodec<A> arguments,
            XdrCodec<R> results,
            ProcedureBinding<A, R> binding) {
        this.program = program;
        this.number = number;
        this.name = name;
        this.arguments = arguments;
        this.results = results;
        this.binding = binding;
    }

    /**
     * Creates a procedure.
     *
     * @param program the version of the program
     * @param number the procedure number, unsigned 32 bits
     * @param name the name in the protocol's definition, such as {@code NFSPROC3_READ}
     * @param arguments encodes and decodes the arguments
     * @param results encodes and decodes the results
     * @param binding the Upper Layer Binding of this procedure
     */
    public static <A, R> Procedure<A, R> of(
            RpcProgram program,
            long number,
            String name,
            XdrCodec<A> arguments,
            XdrCodec<R> results,
            ProcedureBinding<A, R> binding) {
        return new Procedure<>(program, number, name, arguments, results, binding);
    }

    /** Returns procedure 0 of a program, which does nothing (RFC 5531 section 12.1), with the name {@code NULL}. */
    @SuppressWarnings("NullAway") // Void has no other value
    public static Procedure<Void, Void> ofNull(RpcProgram program) {
        return of(program, 0, "NULL", XdrCodec.VOID, XdrCodec.VOID, ProcedureBinding.idempotent(none -> 0));
    }

    /** The version of the program. */
    public RpcProgram program() {
        return program;
    }

    /** The procedure number. */
    public long number() {
        return number;
    }

    /** The name in the protocol's definition. */
    public String name() {
        return name;
    }

    /** Encodes and decodes the arguments. */
    public XdrCodec<A> arguments() {
        return arguments;
    }

    /** Encodes and decodes the results. */
    public XdrCodec<R> results() {
        return results;
    }

    /** The Upper Layer Binding of this procedure. */
    public ProcedureBinding<A, R> binding() {
        return binding;
    }

    @Override
    public String toString() {
        return name;
    }
}
