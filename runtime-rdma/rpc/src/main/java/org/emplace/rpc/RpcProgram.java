// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.OptionalInt;

/**
 * One version of a program, with its binding's port and inline threshold: the constant {@code PROGRAM} of the class that the compiler generates for
 * the version. {@link org.emplace.Rpc#client Rpc} connects to the program, {@link org.emplace.RpcServer} listens for it, and both {@linkplain
 * ConnectionOptions#forPrograms use its inline threshold}.
 *
 * @param name the program's name in its definition, for messages: {@code NFS_PROGRAM}
 * @param number program number, unsigned 32 bits
 * @param version version number, unsigned 32 bits
 * @param rdmaPort where servers listen on RDMA transports; empty if only rpcbind knows it
 * @param inlineThreshold that the binding recommends, in bytes; empty if it recommends none
 */
public record RpcProgram(String name, long number, long version, OptionalInt rdmaPort, OptionalInt inlineThreshold) {

    /** @throws IllegalArgumentException if one of the numbers is out of range */
    public RpcProgram {
        if (number >>> Integer.SIZE != 0 || version >>> Integer.SIZE != 0 || rdmaPort.orElse(1) >>> Short.SIZE != 0) {
            throw new IllegalArgumentException(
                    name + ": number " + number + ", version " + version + " or " + rdmaPort + " is out of range");
        }
    }

    /** A program whose binding says neither a port nor an inline threshold. */
    public RpcProgram(String name, long number, long version) {
        this(name, number, version, OptionalInt.empty(), OptionalInt.empty());
    }

    /** This program with a port on RDMA transports. */
    public RpcProgram withRdmaPort(int port) {
        return new RpcProgram(name, number, version, OptionalInt.of(port), inlineThreshold);
    }

    /** This program with a recommended inline threshold. */
    public RpcProgram withInlineThreshold(int bytes) {
        return new RpcProgram(name, number, version, rdmaPort, OptionalInt.of(bytes));
    }

    /** Name and version, for messages. */
    @Override
    public String toString() {
        return name + " version " + version;
    }
}
