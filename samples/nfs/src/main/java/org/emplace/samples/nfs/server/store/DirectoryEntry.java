// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import java.util.Optional;

/**
 * An entry of a directory.
 *
 * @param number the file's number (fileid)
 * @param cookie the position after the entry, where a listing continues; positive
 * @param file empty if it was not requested, or if the caller may read the directory but not search it
 */
public record DirectoryEntry(FileName name, long number, long cookie, Optional<FoundFile> file) {}
