// SPDX-License-Identifier: Apache-2.0
/**
 * What the requester and the responder of one connection share: its queue pair, the queues of Sends and Receives, and the messages that
 * come in. It moves messages and counts credits; it does not decode RPC.
 */
@NullMarked
package org.emplace.rpcrdma.link;

import org.jspecify.annotations.NullMarked;
