// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

/**
 * Room on a file system.
 *
 * @param total bytes
 * @param free bytes that nobody uses
 * @param available bytes of these that the server's users may use
 * @param totalFiles files there is room for; 0 where nobody counts
 * @param freeFiles files that could be added; 0 where nobody counts
 */
public record Space(long total, long free, long available, long totalFiles, long freeFiles) {}
