// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

/**
 * What became of a WRITE.
 *
 * @param count bytes written: fewer than given if there was no room for more
 * @param stability how it was committed: as asked, or better
 * @param verifier another one after data that was written unstably may have been lost
 */
public record WriteResult(int count, Stability stability, long verifier, WeakCacheConsistency change) {}
