// SPDX-License-Identifier: Apache-2.0
/** Clients that outlive their connections. */
@NullMarked
package org.emplace.rpc.recovery;

import org.jspecify.annotations.NullMarked;
