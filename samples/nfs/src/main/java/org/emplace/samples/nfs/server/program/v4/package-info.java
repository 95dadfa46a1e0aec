// SPDX-License-Identifier: Apache-2.0
/**
 * The NFS program, version 4, minor version 1 (RFC 8881). It translates between the generated protocol and {@link org.emplace.samples.nfs.server.export},
 * {@link org.emplace.samples.nfs.server.store} and {@link org.emplace.samples.nfs.server.state}.
 */
@NullMarked
package org.emplace.samples.nfs.server.program.v4;

import org.jspecify.annotations.NullMarked;
