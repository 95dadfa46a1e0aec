// SPDX-License-Identifier: Apache-2.0
/**
 * The requester of a connection. It decides how a call is sent and which chunks it provides for the reply, respects the
 * credits, matches replies, and completes a call when its memory is fenced. {@link
 * org.emplace.rpcrdma.requester.Requester} is the entry point. The package is independent of the responder.
 */
@NullMarked
package org.emplace.rpcrdma.requester;

import org.jspecify.annotations.NullMarked;
