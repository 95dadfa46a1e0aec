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
        long id,
        long listener,
        CmEventType type,
        int status,
        int responderResources,
        int initiatorDepth,
        byte[] privateData) {}
