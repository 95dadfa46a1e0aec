// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import org.emplace.samples.nfs.server.store.Caller;

/**
 * What an export makes of a peer.
 *
 * @param caller who acts, after squashing
 * @param readOnly whether nothing may be changed
 */
public record ClientAccess(Caller caller, boolean readOnly) {}
