// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import org.emplace.samples.nfs.server.store.FileId;

/**
 * Identifies a file among those of all exports.
 *
 * @param fileSystem the number of the export's file system (fsid)
 * @param id the store's identifier
 */
public record FileKey(long fileSystem, FileId id) {}
