// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

/** The ids of native work requests: a sequence number in each queue, and which queue, for a completion in error does not say that otherwise. */
final class WorkId {
    private WorkId() {}

    static long ofSend(long sequence) {
        return sequence << 1;
    }

    static long ofReceive(long sequence) {
        return (sequence << 1) | 1;
    }

    static boolean isReceive(long id) {
        return (id & 1) != 0;
    }

    static long sequence(long id) {
        return id >>> 1;
    }
}
