// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import java.util.Optional;

/**
 * An entry of a directory.
 *
 * @param number the file's number (fileid)
 * @param cookie where a listing goes on after it; positive
 * @param file empty where it was not asked for, or the caller may read the directory but not look at what is in it
 */
public record DirectoryEntry(FileName name, long number, long cookie, Optional<FoundFile> file) {}
