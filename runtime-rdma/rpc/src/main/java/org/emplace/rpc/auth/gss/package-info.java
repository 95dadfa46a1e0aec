// SPDX-License-Identifier: Apache-2.0
/**
 * RPCSEC_GSS version 1 with Kerberos 5 (RFC 2203), by the JDK's GSS-API, for clients and servers over every transport:
 * callers are who they say they are, and bodies may be protected by a checksum or encrypted.
 *
 * <p>{@link org.emplace.rpc.auth.gss.GssClient} secures a client, and {@link org.emplace.rpc.auth.gss.GssServer} is the flavor of a service.
 * What a body contains under integrity or privacy is not placed directly (RFC 8166 section 8.2.2).
 */
@NullMarked
package org.emplace.rpc.auth.gss;

import org.jspecify.annotations.NullMarked;
