// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

/**
 * What a store can do (FSINFO and PATHCONF, RFC 1813 sections 3.3.19 and 3.3.20).
 *
 * @param lasting whether ids survive a restart; if not, handles made before it are stale
 * @param actsAsCaller whether operations are done with the caller's rights; if not, everybody has those of the server's user
 * @param hardLinks whether LINK works
 * @param symbolicLinks whether SYMLINK and READLINK work
 * @param setsTimes whether SETATTR can set times
 * @param readOnly whether nothing can be changed
 * @param mostLinks names that a file can have
 * @param longestName bytes of a name
 * @param largestFile bytes of a file
 */
public record StoreLimits(
        boolean lasting,
        boolean actsAsCaller,
        boolean hardLinks,
        boolean symbolicLinks,
        boolean setsTimes,
        boolean readOnly,
        long mostLinks,
        int longestName,
        long largestFile) {}
