// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import org.emplace.samples.nfs.server.store.Caller;

/**
 * The rights of a peer on an export.
 *
 * @param caller the identity that acts, after squashing
 * @param readOnly whether the peer may change nothing
 */
public record ClientAccess(Caller caller, boolean readOnly) {}
