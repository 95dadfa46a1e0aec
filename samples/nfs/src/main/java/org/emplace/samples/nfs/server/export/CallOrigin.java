// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.net.InetSocketAddress;
import java.util.Optional;
import org.emplace.samples.nfs.server.store.Caller;

/**
 * The source of a call: its address, and the user that its credential claims.
 *
 * @param claimed empty if the call's credential names no user
 */
public record CallOrigin(InetSocketAddress address, Optional<Caller> claimed) {}
