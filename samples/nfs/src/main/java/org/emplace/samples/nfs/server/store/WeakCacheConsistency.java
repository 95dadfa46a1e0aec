// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import java.util.Optional;

/**
 * How an operation found a file and left it (wcc_data, RFC 1813 section 2.6). No other client's operation came between the two.
 *
 * @param before empty where that cannot be promised
 * @param after empty where the file is not to be found any more
 */
public record WeakCacheConsistency(Optional<FileAttributes> before, Optional<FileAttributes> after) {
    public static final WeakCacheConsistency UNKNOWN = new WeakCacheConsistency(Optional.empty(), Optional.empty());
}
