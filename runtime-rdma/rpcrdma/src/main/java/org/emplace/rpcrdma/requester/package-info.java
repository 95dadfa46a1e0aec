// SPDX-License-Identifier: Apache-2.0
/**
 * The requester of a connection. It decides how a call is sent and which chunks it provides for the reply, respects the
 * credits, matches replies, and completes a call when its memory is fenced. {@link
 * org.emplace.rpcrdma.requester.Requester} is the entry point. The package is independent of the responder.
 * A call that is given up, by its timeout for example, is fenced first and then returns its memory: {@code Requester.abort},
 * {@code OutgoingCall.fence}.
 *
 * <p>Used by the connection. What a call means to its caller belongs to {@code org.emplace.rpc.client}.
 */
@NullMarked
package org.emplace.rpcrdma.requester;

import org.jspecify.annotations.NullMarked;
