// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

/**
 * Who makes a call. Addresses and connections are keys of the program's own, compared by {@code equals}.
 *
 * @param principal the caller, after authentication, by a name that stays the same when the server restarts
 * @param address the peer's address, without port: what a peer may have in all counts for it
 * @param connection the connection, until {@link Sessions#connectionClosed}
 */
public record CallOrigin(String principal, Object address, Object connection) {}
