// SPDX-License-Identifier: Apache-2.0
/**
 * Observers that report calls to OpenTelemetry, with the names of its semantic conventions. Start with {@link
 * org.emplace.opentelemetry.RpcTelemetry}.
 *
 * <p>Used by applications alone; the runtime works without it. What is not named by OpenTelemetry's conventions is left to the
 * observers of {@code org.emplace.rpc}.
 */
@NullMarked
package org.emplace.opentelemetry;

import org.jspecify.annotations.NullMarked;
