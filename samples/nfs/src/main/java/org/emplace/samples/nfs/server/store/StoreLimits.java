// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

/**
 * The capabilities of a store (FSINFO and PATHCONF, RFC 1813 sections 3.3.19 and 3.3.20).
 *
 * @param lasting whether ids survive a restart; if not, a restart makes handles stale
 * @param actsAsCaller whether operations have the caller's rights; if not, they have those of the server's user
 * @param hardLinks whether LINK is supported
 * @param symbolicLinks whether SYMLINK and READLINK are supported
 * @param setsTimes whether SETATTR can set times
 * @param readOnly whether nothing can be changed
 * @param mostLinks the most names of a file
 * @param longestName the most bytes of a name
 * @param largestFile the most bytes of a file
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
