// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

/** A header of RPC-over-RDMA, usually of version 1 (RFC 8166 section 4). Credits are unsigned 32-bit numbers. */
public sealed interface Header {

    /** The xid of the RPC message. */
    int xid();

    /** Credits requested by a call, granted by a reply. */
    long credits();

    /** RDMA_MSG (or RDMA_MSGP, which means the same): the RPC message follows the header. */
    record Message(int xid, long credits, ChunkLists chunks) implements Header {}

    /** RDMA_NOMSG: the RPC message is in the Position Zero Read chunk or in the Reply chunk. */
    record NoMessage(int xid, long credits, ChunkLists chunks) implements Header {}

    /** RDMA_ERROR with ERR_VERS: the responder supports the versions from {@code low} to {@code high}. */
    record VersionError(int xid, long credits, long low, long high) implements Header {}

    /**
     * RDMA_ERROR with ERR_CHUNK: the responder cannot process the call, or cannot reply, with the chunks of the call.
     */
    record ChunkError(int xid, long credits) implements Header {}

    /** A header of another version, of which only the fixed fields are known. It is never encoded. */
    record OtherVersion(int xid, long credits, long version) implements Header {}

    /** RDMA_DONE: never sent by this implementation, and ignored. */
    record Done(int xid, long credits) implements Header {}
}
