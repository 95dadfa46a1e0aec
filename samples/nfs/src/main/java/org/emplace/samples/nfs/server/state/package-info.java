// SPDX-License-Identifier: Apache-2.0
/**
 * What an NFS server remembers of its clients (RFC 8881): client IDs, sessions with their slots, opens with share reservations, byte-range locks, and delegations. It knows files by {@link org.emplace.samples.nfs.server.state.FileKey}, and no paths, no XDR and no connections: the programs
 * translate. {@link org.emplace.samples.nfs.server.state.StateTable} is where it begins.
 *
 * <p>{@link org.emplace.samples.nfs.server.state.RecordedClients} survive a restart of the server, and may then reclaim what they held.
 *
 * <p>One monitor guards all of it, that of the {@code Ledger}. Public methods enter it, do all of their work, and leave it. They do no input or
 * output inside (callbacks are sent after leaving it), and call nothing that a program passes in but {@code equals} and {@code hashCode} of its keys. So there is no order of locks, and an
 * operation either happens as a whole or, if it throws, changes nothing but what has expired or what it would have replaced.
 */
@NullMarked
package org.emplace.samples.nfs.server.state;

import org.jspecify.annotations.NullMarked;
