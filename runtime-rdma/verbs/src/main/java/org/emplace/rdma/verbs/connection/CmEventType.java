// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.connection;

/** What the connection manager tells of: {@code rdma_cm_event_type}, in its order. */
enum CmEventType {
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

    static CmEventType of(int number) {
        CmEventType[] types = values();
        return number >= 0 && number < types.length ? types[number] : UNKNOWN;
    }
}
