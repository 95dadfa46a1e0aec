// SPDX-License-Identifier: Apache-2.0
/**
 * File handles: which file they name, and that nobody but this server made them. Knows neither paths nor protocols. Why they look as
 * they do is told in {@code docs/decisions/005-nfs-file-handles.md}.
 */
@NullMarked
package org.emplace.samples.nfs.server.handle;

import org.jspecify.annotations.NullMarked;
