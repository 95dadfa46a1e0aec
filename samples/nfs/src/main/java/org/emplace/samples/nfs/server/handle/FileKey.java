// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.handle;

/**
 * What the file system itself calls a file, whatever its name: stable under renames.
 *
 * @param device 0 for the file system that holds the export's root, else the device number; so a device that is numbered anew at boot does
 *     not change the handles of most files
 * @param inode the file's number on it
 */
public record FileKey(long device, long inode) {}
