// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

/**
 * The result of a WRITE.
 *
 * @param count bytes written; fewer than given if there was no space for more
 * @param stability how the data was committed: as requested, or more safely
 * @param verifier changes after data that was written unstably may have been lost
 */
public record WriteResult(int count, Stability stability, long verifier, WeakCacheConsistency change) {}
