// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

/**
 * What a listing came to.
 *
 * @param verifier to be given with its cookies
 * @param end whether there is nothing after what was taken
 */
public record ListingResult(FileAttributes directory, long verifier, boolean end) {}
