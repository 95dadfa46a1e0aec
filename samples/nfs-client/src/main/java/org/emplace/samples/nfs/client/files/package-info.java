// SPDX-License-Identifier: Apache-2.0
/** An export as a file system of {@code java.nio.file}. */
@NullMarked
package org.emplace.samples.nfs.client.files;

import org.jspecify.annotations.NullMarked;
