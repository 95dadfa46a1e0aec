// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import java.time.Duration;
import java.util.OptionalLong;
import org.emplace.rpc.CallObserver;
import org.emplace.rpc.CallOptions.Recovery;

/**
 * How an export is mounted and used.
 *
 * @param protocol how NFS calls travel
 * @param mountPort TCP port of the server's MOUNT program; 0 for what the server's rpcbind says, else {@link #MOUNT_PORT}
 * @param timeout for connecting and for each call; positive
 * @param recovery what becomes of calls when the connection is lost
 * @param sizes most bytes of READs and WRITEs
 * @param caller in whose name calls are made
 * @param observer is told of every NFS call
 */
record MountOptions(
        Protocol protocol,
        int mountPort,
        Duration timeout,
        Recovery recovery,
        TransferSizes sizes,
        Caller caller,
        CallObserver observer) {
    /** The port that Linux's mountd, and this project's server, take. */
    static final int MOUNT_PORT = 20048;

    /** RDMA, the port that rpcbind says, a minute also to get over the loss of a connection, nobody observes. */
    static final MountOptions DEFAULT = new MountOptions(
            Protocol.RDMA,
            0,
            Duration.ofSeconds(60),
            Recovery.SOFT,
            new TransferSizes(TransferSizes.LARGEST, TransferSizes.LARGEST),
            new Caller(OptionalLong.empty(), OptionalLong.empty()),
            CallObserver.NONE);

    /** Ways for NFS calls to travel. */
    enum Protocol {
        /** RPC-over-RDMA. */
        RDMA("rdma"),
        /** ONC RPC over TCP. */
        TCP("tcp");

        private final String scheme;

        Protocol(String scheme) {
            this.scheme = scheme;
        }

        /** The scheme of transport addresses. */
        String scheme() {
            return scheme;
        }
    }

    /** The most bytes of a READ and of a WRITE; the server's own limits also hold. */
    record TransferSizes(int read, int write) {
        static final int LARGEST = 1 << 20;
    }

    /** A user and a group, each that of this process if it is not given. */
    record Caller(OptionalLong uid, OptionalLong gid) {}

    /** These options with another way to travel. */
    MountOptions withProtocol(Protocol other) {
        return new MountOptions(other, mountPort, timeout, recovery, sizes, caller, observer);
    }

    /** These options with another port of the MOUNT program. */
    MountOptions withMountPort(int other) {
        return new MountOptions(protocol, other, timeout, recovery, sizes, caller, observer);
    }

    /** These options with another timeout. */
    MountOptions withTimeout(Duration other) {
        return new MountOptions(protocol, mountPort, other, recovery, sizes, caller, observer);
    }

    /** These options with another treatment of the loss of a connection. */
    MountOptions withRecovery(Recovery other) {
        return new MountOptions(protocol, mountPort, timeout, other, sizes, caller, observer);
    }

    /** These options with other sizes. */
    MountOptions withSizes(TransferSizes other) {
        return new MountOptions(protocol, mountPort, timeout, recovery, other, caller, observer);
    }

    /** These options in another's name. */
    MountOptions withCaller(Caller other) {
        return new MountOptions(protocol, mountPort, timeout, recovery, sizes, other, observer);
    }

    /** These options with another observer. */
    MountOptions withObserver(CallObserver other) {
        return new MountOptions(protocol, mountPort, timeout, recovery, sizes, caller, other);
    }
}
