// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth.gss;

import org.emplace.xdr.XdrOpaque;

/**
 * A context that a client has established with a server. Safe for use by several threads.
 *
 * @param handle what the server calls it
 * @param window the sequence numbers, and the calls that may have them
 */
record ClientContext(SecurityContext security, XdrOpaque handle, ClientWindow window) {}
