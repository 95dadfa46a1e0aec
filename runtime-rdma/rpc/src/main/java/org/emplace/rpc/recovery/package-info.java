// SPDX-License-Identifier: Apache-2.0
/** Clients that reconnect and resend calls; see {@link org.emplace.Rpc#client}. */
@NullMarked
package org.emplace.rpc.recovery;

import org.jspecify.annotations.NullMarked;
