// SPDX-License-Identifier: Apache-2.0
/**
 * The answering half of a connection: checks the chunk lists of a call, fetches its Read chunks before the call is dispatched, or when the handler
 * asks if its service does so itself ({@code RpcService.fetching}), and answers by RDMA Writes and a Send. {@link
 * org.emplace.rpcrdma.responder.Responder} is the entry point. The package does not know the requester.
 */
@NullMarked
package org.emplace.rpcrdma.responder;

import org.jspecify.annotations.NullMarked;
