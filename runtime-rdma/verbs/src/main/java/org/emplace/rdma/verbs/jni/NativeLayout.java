// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.jni;

/** Sizes and offsets of the structures that Java and C exchange. Java queries them, so that only C defines them. */
public final class NativeLayout {
    private NativeLayout() {}

    /** Kinds of structure, for {@link #of}. */
    public static final int EVENT = 0;

    /** See {@link #EVENT}. */
    public static final int SEND_REQUEST = 1;

    /** See {@link #EVENT}. */
    public static final int SCATTER_GATHER = 2;

    /** See {@link #EVENT}. */
    public static final int RECEIVE_REQUEST = 3;

    /** See {@link #EVENT}. */
    public static final int COMPLETION = 4;

    /**
     * The layout of a structure: its size, then the offset of each field in the order below. The width of each field is given in bytes.
     *
     * <ul>
     *   <li>EVENT: id (8), listener (8, of a connection request), type (4, an {@code rdma_cm_event_type}), status (4), responder
     *       resources (4), initiator depth (4), length of the private data (4); the private data (at most 256) start at size
     *   <li>SEND_REQUEST: id (8), remote address (8), window (8, handle), region (8, handle), opcode (4: {@link Libibverbs#SEND} ...),
     *       flags (4: {@link Libibverbs#SIGNALED} ...), remote key or key to invalidate or the window's new key (4), number of scatter/gather
     *       elements that follow (4). A bind has one element, the range, and its rights in the field "access" (4)
     *   <li>SCATTER_GATHER: address (8), length (4), local key (4)
     *   <li>RECEIVE_REQUEST: id (8), number of scatter/gather elements that follow (4)
     *   <li>COMPLETION: id (8), status (4, an {@code ibv_wc_status}), opcode (4, an {@code ibv_wc_opcode}), length (4), flags (4, of {@code
     *       ibv_wc_flags}), invalidated key (4, meaningful by the flags), vendor error (4), queue pair number (4)
     * </ul>
     */
    public static native int[] of(int structure);
}
