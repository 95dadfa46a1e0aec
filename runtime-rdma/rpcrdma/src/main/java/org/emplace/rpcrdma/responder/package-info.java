// SPDX-License-Identifier: Apache-2.0
/**
 * The responder of a connection. It checks the chunk lists of a call, fetches the Read chunks before it dispatches the
 * call (or when the handler asks for them, if its service uses {@code RpcService.fetchingByHand}), and replies by RDMA Writes
 * and a Send. {@link org.emplace.rpcrdma.responder.Responder} is the entry point. The package is independent of the
 * requester.
 *
 * <p>Used by the connection. Which thread runs a call, and what a handler is, belongs to {@code org.emplace.rpc.server}.
 */
@NullMarked
package org.emplace.rpcrdma.responder;

import org.jspecify.annotations.NullMarked;
