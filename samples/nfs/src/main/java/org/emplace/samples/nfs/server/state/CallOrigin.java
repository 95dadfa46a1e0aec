// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

/**
 * Who makes a call. All three are keys of the program's own, compared by {@code equals}.
 *
 * @param principal the caller, after authentication
 * @param address the peer's address, without port: what a peer may have in all counts for it
 * @param connection the connection, until {@link Sessions#connectionClosed}
 */
public record CallOrigin(Object principal, Object address, Object connection) {}
