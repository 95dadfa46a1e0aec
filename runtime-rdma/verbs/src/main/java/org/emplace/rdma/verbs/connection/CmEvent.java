// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.connection;

/**
 * An event of the connection manager.
 *
 * @param id the connection identifier that it is about; of a connection request, the new one
 * @param listener of a connection request: the identifier that listens
 * @param status 0, a negative error number, or the reason of a rejection
 * @param responderResources RDMA Reads that the peer wants to have outstanding
 * @param initiatorDepth RDMA Reads that the peer answers at a time. When an initiator's connection on iWARP is established, the two are
 *     exchanged
 * @param privateData of the peer; on InfiniBand and RoCE with zeros behind it
 */
@SuppressWarnings("ArrayRecordComponent") // opaque bytes that are handed on; nobody compares these records
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
