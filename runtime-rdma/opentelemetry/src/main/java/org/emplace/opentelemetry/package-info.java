// SPDX-License-Identifier: Apache-2.0
/** Observers of calls that report to OpenTelemetry, by the names of its semantic conventions. Begin with {@link org.emplace.opentelemetry.RpcTelemetry}. */
@NullMarked
package org.emplace.opentelemetry;

import org.jspecify.annotations.NullMarked;
