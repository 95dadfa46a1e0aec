// SPDX-License-Identifier: Apache-2.0
/**
 * The calling half of a connection: decides how a call travels and what is offered for its reply, keeps within the credits, matches replies, and
 * completes a call once its memory is fenced. {@link org.emplace.rpcrdma.requester.Requester} is the entry point. The package does not know the
 * responder.
 */
@NullMarked
package org.emplace.rpcrdma.requester;

import org.jspecify.annotations.NullMarked;
