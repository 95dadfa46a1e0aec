// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.net.InetSocketAddress;
import java.util.Optional;
import org.emplace.samples.nfs.server.store.Caller;

/**
 * Where a call came from, and who it says it is from.
 *
 * @param claimed empty if the call's credential names no user
 */
public record CallOrigin(InetSocketAddress address, Optional<Caller> claimed) {}
