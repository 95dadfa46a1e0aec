// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

/**
 * The space of a file system.
 *
 * @param total bytes
 * @param free unused bytes
 * @param available bytes of these that the server's users may use
 * @param totalFiles the most files that it can hold; 0 if unknown
 * @param freeFiles the number of files that could be added; 0 if unknown
 */
public record Space(long total, long free, long available, long totalFiles, long freeFiles) {}
