// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.OptionalInt;

/**
 * One version of a program, with the port and inline threshold of its binding. The class that the compiler generates
 * for the version has it as the constant {@code PROGRAM}. {@link org.emplace.Rpc} connects to a program, {@link
 * org.emplace.RpcServer} listens on its port, and both {@linkplain ConnectionOptions#forPrograms use its inline
 * threshold}.
 *
 * @param name the program's name in its definition, such as {@code NFS_PROGRAM}
 * @param number the program number, unsigned 32 bits
 * @param version the version number, unsigned 32 bits
 * @param rdmaPort the port of servers on RDMA transports; empty if rpcbind must be asked
 * @param inlineThreshold the inline threshold that the binding recommends, in bytes; empty if none
 */
public record RpcProgram(String name, long number, long version, OptionalInt rdmaPort, OptionalInt inlineThreshold) {

    /** @throws IllegalArgumentException if a number is out of range */
    public RpcProgram {
        if (number >>> Integer.SIZE != 0 || version >>> Integer.SIZE != 0 || rdmaPort.orElse(1) >>> Short.SIZE != 0) {
            throw new IllegalArgumentException(
                    name + ": number " + number + ", version " + version + " or " + rdmaPort + " is out of range");
        }
    }

    /** Creates a program whose binding has neither a port nor an inline threshold. */
    public RpcProgram(String name, long number, long version) {
        this(name, number, version, OptionalInt.empty(), OptionalInt.empty());
    }

    /** Returns this program with a port on RDMA transports. */
    public RpcProgram withRdmaPort(int port) {
        return new RpcProgram(name, number, version, OptionalInt.of(port), inlineThreshold);
    }

    /** Returns this program with a recommended inline threshold in bytes. */
    public RpcProgram withInlineThreshold(int bytes) {
        return new RpcProgram(name, number, version, rdmaPort, OptionalInt.of(bytes));
    }

    /** The name and the version, for messages. */
    @Override
    public String toString() {
        return name + " version " + version;
    }
}
