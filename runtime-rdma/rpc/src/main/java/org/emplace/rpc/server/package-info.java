// SPDX-License-Identifier: Apache-2.0
/**
 * The calls that the peer makes, from the message to the reply, whatever transport carries them. Used by transports and
 * by {@code RpcServer}; knows nothing of {@link org.emplace.rpc.client}.
 *
 * <p>How a message arrived, and where its chunks are, is known to the transport's {@link org.emplace.rpc.server.IncomingCall}.
 */
@NullMarked
package org.emplace.rpc.server;

import org.jspecify.annotations.NullMarked;
