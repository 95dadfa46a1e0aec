// SPDX-License-Identifier: Apache-2.0
/**
 * The parts of a connection that its requester and its responder share: the queue pair, the queues of Sends and
 * Receives, the received messages and the credits. Does not decode RPC messages.
 *
 * <p>Used by the requester and the responder. What only one of them needs is not here.
 */
@NullMarked
package org.emplace.rpcrdma.link;

import org.jspecify.annotations.NullMarked;
