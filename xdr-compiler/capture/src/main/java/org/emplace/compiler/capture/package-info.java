// SPDX-License-Identifier: Apache-2.0
/**
 * The wire explainer: {@link org.emplace.compiler.capture.CaptureExplainer} is its entry point. It turns packets into RDMA operations, and these into
 * RPC-over-RDMA messages. A binding names the items in their chunks.
 */
@NullMarked
package org.emplace.compiler.capture;

import org.jspecify.annotations.NullMarked;
