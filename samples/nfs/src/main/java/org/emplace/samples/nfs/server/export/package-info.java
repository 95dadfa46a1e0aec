// SPDX-License-Identifier: Apache-2.0
/**
 * A directory of any {@link java.nio.file.FileSystem} as an NFS server sees it: files by handle, attributes, listings with cookies, open
 * files. Knows the rules of RFC 1813, but none of its encoding.
 */
@NullMarked
package org.emplace.samples.nfs.server.export;

import org.jspecify.annotations.NullMarked;
