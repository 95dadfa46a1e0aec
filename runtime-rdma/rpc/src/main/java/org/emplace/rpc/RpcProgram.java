// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.OptionalInt;

/**
 * One version of a program, with the port, inline threshold and largest message of its binding. The class that the compiler generates
 * for the version has it as the constant {@code PROGRAM}. {@link org.emplace.Rpc} connects to a program, {@link
 * org.emplace.RpcServer} listens on its port, and both {@linkplain ConnectionOptions#forPrograms use its inline
 * threshold and largest message}. Immutable: each {@code with} returns another object.
 */
public final class RpcProgram {
    private final String name;
    private final long number;
    private final long version;
    private final OptionalInt rdmaPort;
    private final OptionalInt inlineThreshold;
    private final OptionalInt maxMessage;

    private RpcProgram(
            String name,
            long number,
            long version,
            OptionalInt rdmaPort,
            OptionalInt inlineThreshold,
            OptionalInt maxMessage) {
        if (number >>> Integer.SIZE != 0 || version >>> Integer.SIZE != 0 || rdmaPort.orElse(1) >>> Short.SIZE != 0) {
            throw new IllegalArgumentException(
                    name + ": number " + number + ", version " + version + " or " + rdmaPort + " is out of range");
        }
        this.name = name;
        this.number = number;
        this.version = version;
        this.rdmaPort = rdmaPort;
        this.inlineThreshold = inlineThreshold;
        this.maxMessage = maxMessage;
    }

    /**
     * Creates a program whose binding has no port, inline threshold or largest message.
     *
     * @param name the program's name in its definition, such as {@code NFS_PROGRAM}
     * @param number the program number, unsigned 32 bits
     * @param version the version number, unsigned 32 bits
     * @throws IllegalArgumentException if a number is out of range
     */
    public static RpcProgram of(String name, long number, long version) {
        return new RpcProgram(name, number, version, OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty());
    }

    /** The program's name in its definition. */
    public String name() {
        return name;
    }

    /** The program number. */
    public long number() {
        return number;
    }

    /** The version number. */
    public long version() {
        return version;
    }

    /** The port of servers on RDMA transports; empty if rpcbind must be asked. */
    public OptionalInt rdmaPort() {
        return rdmaPort;
    }

    /**
     * See {@link #rdmaPort}.
     *
     * @throws IllegalArgumentException if the port is out of range
     */
    public RpcProgram withRdmaPort(int port) {
        return new RpcProgram(name, number, version, OptionalInt.of(port), inlineThreshold, maxMessage);
    }

    /** The inline threshold that the binding recommends, in bytes; empty if none. */
    public OptionalInt inlineThreshold() {
        return inlineThreshold;
    }

    /** See {@link #inlineThreshold}. */
    public RpcProgram withInlineThreshold(int bytes) {
        return new RpcProgram(name, number, version, rdmaPort, OptionalInt.of(bytes), maxMessage);
    }

    /**
     * The length in bytes of the largest message that each end should accept, by the binding; empty if {@link
     * ConnectionOptions#DEFAULT}'s is enough.
     */
    public OptionalInt maxMessage() {
        return maxMessage;
    }

    /** See {@link #maxMessage}. */
    public RpcProgram withMaxMessage(int bytes) {
        return new RpcProgram(name, number, version, rdmaPort, inlineThreshold, OptionalInt.of(bytes));
    }

    /** The name and the version, for messages. */
    @Override
    public String toString() {
        return name + " version " + version;
    }
}
