// SPDX-License-Identifier: Apache-2.0
/**
 * Authentication flavors for clients and servers (RFC 5531 sections 8.2 and 10): AUTH_NONE, AUTH_SYS, and the
 * interfaces that other flavors implement.
 *
 * <p>Used by applications, and by both ends for each call. A flavor sees the header of a call and its reply, and their
 * bodies if it protects them, but not the connection that carries them.
 */
@NullMarked
package org.emplace.rpc.auth;

import org.jspecify.annotations.NullMarked;
