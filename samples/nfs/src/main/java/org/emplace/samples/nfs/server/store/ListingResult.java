// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

/**
 * The result of a listing.
 *
 * @param verifier the verifier that belongs to its cookies
 * @param end whether no entry follows those that the visitor accepted
 */
public record ListingResult(FileAttributes directory, long verifier, boolean end) {}
