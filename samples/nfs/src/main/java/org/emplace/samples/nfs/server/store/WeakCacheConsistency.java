// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import java.util.Optional;

/**
 * A file's attributes before and after an operation (wcc_data, RFC 1813 section 2.6). No other client's operation came between the two.
 *
 * @param before empty if that cannot be guaranteed
 * @param after empty if the file no longer exists
 */
public record WeakCacheConsistency(Optional<FileAttributes> before, Optional<FileAttributes> after) {
    public static final WeakCacheConsistency UNKNOWN = new WeakCacheConsistency(Optional.empty(), Optional.empty());
}
