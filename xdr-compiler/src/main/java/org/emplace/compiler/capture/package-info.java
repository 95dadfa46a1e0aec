// SPDX-License-Identifier: Apache-2.0
/**
 * The wire explainer: {@link org.emplace.compiler.capture.CaptureExplainer} is its entry. Packets become RDMA operations, these become RPC-over-RDMA messages, and a
 * binding names what their chunks carry.
 */
@NullMarked
package org.emplace.compiler.capture;

import org.jspecify.annotations.NullMarked;
