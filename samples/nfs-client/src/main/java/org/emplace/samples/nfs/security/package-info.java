// SPDX-License-Identifier: Apache-2.0
/** How callers of NFS are known, and what is protected: {@code sec=} of mounts and exports. */
@NullMarked
package org.emplace.samples.nfs.security;

import org.jspecify.annotations.NullMarked;
