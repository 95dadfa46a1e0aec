// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

/** The numbers of {@code rdma_proc} and {@code rpcrdma_errcode} (RFC 8166 section 4.1). */
final class HeaderType {
    /** RDMA_MSG. */
    static final int MESSAGE = 0;

    /** RDMA_NOMSG. */
    static final int NO_MESSAGE = 1;

    /** RDMA_MSGP, which is no longer sent. */
    static final int PADDED_MESSAGE = 2;

    /** RDMA_DONE, which is no longer sent. */
    static final int DONE = 3;

    /** RDMA_ERROR; the same in all versions. */
    static final int ERROR = 4;

    /** ERR_VERS. */
    static final int VERSION_ERROR = 1;

    /** ERR_CHUNK. */
    static final int CHUNK_ERROR = 2;

    private HeaderType() {}
}
