// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import java.util.List;
import org.emplace.rdma.Completion;
import org.emplace.rdma.RdmaException;
import org.jspecify.annotations.Nullable;

/**
 * What a batch of the device's completions comes to.
 *
 * @param ended for the handler
 * @param invalidations to be run first
 * @param failure how the first request ended that did not succeed, one that says why before one that was flushed; null if all succeeded
 * @param fault why nothing can be posted any more; null as long as all is well
 */
record Reaped(
        List<Completion> ended,
        List<Runnable> invalidations,
        @Nullable WorkStatus failure,
        @Nullable RdmaException fault) {}
