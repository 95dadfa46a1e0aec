// SPDX-License-Identifier: Apache-2.0
/**
 * Observers that report calls to OpenTelemetry, with the names of its semantic conventions. Start with {@link
 * org.emplace.opentelemetry.RpcTelemetry}.
 */
@NullMarked
package org.emplace.opentelemetry;

import org.jspecify.annotations.NullMarked;
