// SPDX-License-Identifier: Apache-2.0
/**
 * What a transport implements, and what it is given. Used by the two halves, {@link org.emplace.rpc.client} and {@link
 * org.emplace.rpc.server}, only where they hand over to a transport.
 */
@NullMarked
package org.emplace.rpc.transport;

import org.jspecify.annotations.NullMarked;
