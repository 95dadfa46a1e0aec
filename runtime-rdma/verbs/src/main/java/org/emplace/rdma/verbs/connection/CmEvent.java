// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.connection;

/**
 * An event of the connection manager.
 *
 * @param id the event's connection identifier; for a connection request, the new identifier
 * @param listener for a connection request, the listening identifier
 * @param status 0, a negative error number, or the reason for a rejection
 * @param responderResources RDMA Reads that the peer requests to have outstanding
 * @param initiatorDepth RDMA Reads that the peer answers at a time. On iWARP, the event that an initiator's connection is established has
 *     the two numbers swapped
 * @param privateData the peer's private data; on InfiniBand and RoCE padded with zeros
 */
@SuppressWarnings("ArrayRecordComponent") // opaque bytes; these records are never compared
record CmEvent(
        long id, long listener, Type type, int status, int responderResources, int initiatorDepth, byte[] privateData) {

    /** {@code rdma_cm_event_type}, in its order. */
    enum Type {
        ADDRESS_RESOLVED,
        ADDRESS_ERROR,
        ROUTE_RESOLVED,
        ROUTE_ERROR,
        CONNECT_REQUEST,
        CONNECT_RESPONSE,
        CONNECT_ERROR,
        UNREACHABLE,
        REJECTED,
        ESTABLISHED,
        DISCONNECTED,
        DEVICE_REMOVAL,
        MULTICAST_JOIN,
        MULTICAST_ERROR,
        ADDRESS_CHANGE,
        TIMEWAIT_EXIT,
        UNKNOWN;

        static Type of(int number) {
            Type[] types = values();
            return number >= 0 && number < types.length ? types[number] : UNKNOWN;
        }
    }
}
