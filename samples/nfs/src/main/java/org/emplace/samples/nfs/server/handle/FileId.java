// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.handle;

/**
 * One file of all that ever had its key: file systems give the number of a removed file to a new one.
 *
 * @param key what the file system calls the file
 * @param generation how many files with that key this server has seen removed before
 */
public record FileId(FileKey key, int generation) {}
