// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

/**
 * The result of a COMMIT.
 *
 * @param verifier that of {@link WriteResult}
 */
public record CommitResult(long verifier, WeakCacheConsistency change) {}
