// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

/**
 * The rights of a caller on a file.
 *
 * @param rights a sum of the bits of {@link AccessRights}
 */
public record AccessResult(FileAttributes file, int rights) {}
