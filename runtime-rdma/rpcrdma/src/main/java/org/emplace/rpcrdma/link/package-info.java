// SPDX-License-Identifier: Apache-2.0
/**
 * The parts of a connection that its requester and its responder share: the queue pair, the queues of Sends and
 * Receives, the received messages and the credits. Does not decode RPC messages.
 *
 * <p>{@link org.emplace.rpcrdma.link.GrantedCredits} counts what is granted to the peer. How far a grant may grow is decided by
 * {@link org.emplace.rpcrdma.link.SharedReceives}, or by the connection's own Receives, and by the responder, which grants slow peers no more.
 *
 * <p>Used by the requester and the responder. What only one of them needs is not here.
 */
@NullMarked
package org.emplace.rpcrdma.link;

import org.jspecify.annotations.NullMarked;
