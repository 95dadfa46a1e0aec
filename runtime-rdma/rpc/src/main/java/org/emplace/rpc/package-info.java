// SPDX-License-Identifier: Apache-2.0
/**
 * ONC RPC version 2 (RFC 5531): the API of generated clients and servers and of the applications that use them. It is
 * independent of transports, which implement {@code org.emplace.rpc.transport} and are found by {@link
 * java.util.ServiceLoader}.
 *
 * <p>What only a transport or one end of a connection needs is not here, except the few types that decoding shares with generated
 * code; they say so.
 */
@NullMarked
package org.emplace.rpc;

import org.jspecify.annotations.NullMarked;
