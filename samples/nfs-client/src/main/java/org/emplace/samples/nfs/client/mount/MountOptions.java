// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.mount;

import java.time.Duration;
import java.util.OptionalLong;
import org.emplace.rpc.CallObserver;
import org.emplace.rpc.CallOptions.Recovery;

/**
 * The options of a mount.
 *
 * @param protocol the transport of NFS calls
 * @param mountPort TCP port of the server's MOUNT program; 0 to ask the server's rpcbind, and to use {@link #MOUNT_PORT} if that fails
 * @param timeout for connecting and for each call; positive
 * @param recovery whether and how long calls are sent again after the connection was lost
 * @param sizes the most bytes of a READ and of a WRITE
 * @param caller the user and group in whose name calls are made
 * @param observer notified of every NFS call
 */
record MountOptions(
        Protocol protocol,
        int mountPort,
        Duration timeout,
        Recovery recovery,
        TransferSizes sizes,
        Caller caller,
        CallObserver observer) {
    /** The port of the MOUNT program on servers that fix it, such as this project's: 20048, as IANA assigned it. */
    static final int MOUNT_PORT = 20048;

    /** RDMA; the MOUNT port from rpcbind; a minute for each call, the loss of a connection included; no observer. */
    static final MountOptions DEFAULT = new MountOptions(
            Protocol.RDMA,
            0,
            Duration.ofSeconds(60),
            Recovery.SOFT,
            new TransferSizes(TransferSizes.LARGEST, TransferSizes.LARGEST),
            new Caller(OptionalLong.empty(), OptionalLong.empty()),
            CallObserver.NONE);

    /** The transports of NFS calls. */
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

    /** The most bytes of a READ and of a WRITE. The server's own limits apply too. */
    record TransferSizes(int read, int write) {
        static final int LARGEST = 1 << 20;
    }

    /** A user and a group. One that is not given is that of this process. */
    record Caller(OptionalLong uid, OptionalLong gid) {}

    /** These options with another transport. */
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

    /** These options with another way to recover from the loss of a connection. */
    MountOptions withRecovery(Recovery other) {
        return new MountOptions(protocol, mountPort, timeout, other, sizes, caller, observer);
    }

    /** These options with other sizes of READs and WRITEs. */
    MountOptions withSizes(TransferSizes other) {
        return new MountOptions(protocol, mountPort, timeout, recovery, other, caller, observer);
    }

    /** These options with another caller. */
    MountOptions withCaller(Caller other) {
        return new MountOptions(protocol, mountPort, timeout, recovery, sizes, other, observer);
    }

    /** These options with another observer. */
    MountOptions withObserver(CallObserver other) {
        return new MountOptions(protocol, mountPort, timeout, recovery, sizes, caller, other);
    }
}
