// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.queuepair;

import org.emplace.reactor.AddressShares;
import org.emplace.reactor.Peer;

/**
 * What an accepted connection shares with the others of its listener.
 *
 * @param peer the peer whose connections share the rounds of a loop
 * @param otherSockets the places of sockets that are not established connections: they are being set up, or {@linkplain Linger linger} after
 *     their end
 */
public record Sharing(Peer peer, AddressShares otherSockets) {}
