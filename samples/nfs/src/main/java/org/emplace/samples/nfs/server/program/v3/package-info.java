// SPDX-License-Identifier: Apache-2.0
/**
 * The NFS and MOUNT programs, version 3. They translate between the generated protocol and {@link org.emplace.samples.nfs.server.export} and
 * {@link org.emplace.samples.nfs.server.store}.
 */
@NullMarked
package org.emplace.samples.nfs.server.program.v3;

import org.jspecify.annotations.NullMarked;
