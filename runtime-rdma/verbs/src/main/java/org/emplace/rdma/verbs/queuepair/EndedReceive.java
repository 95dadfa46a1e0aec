// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import org.emplace.rdma.ReceiveRequest;

/**
 * How a Receive of a shared queue ended.
 *
 * @param queuePair the number of the one that took it
 * @param length bytes received
 * @param mayInvalidate whether the peer's Send may have invalidated {@code key}: it has, if that was exposed
 */
record EndedReceive(
        int queuePair, ReceiveRequest receive, WorkStatus status, int length, boolean mayInvalidate, int key) {

    static EndedReceive of(CompletionBuffer completions, int index, ReceiveRequest receive) {
        return new EndedReceive(
                completions.queuePair(index),
                receive,
                completions.status(index),
                completions.length(index),
                completions.mayInvalidate(index),
                completions.invalidatedKey(index));
    }
}
