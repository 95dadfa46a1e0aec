// SPDX-License-Identifier: Apache-2.0
/**
 * The calls that this end makes, from the arguments to the results, whatever transport carries them. Used by transports
 * and by recovery; knows nothing of {@link org.emplace.rpc.server}.
 *
 * <p>What is sent over a second connection belongs to {@link org.emplace.rpc.recovery}, and how bytes are sent to a transport.
 */
@NullMarked
package org.emplace.rpc.client;

import org.jspecify.annotations.NullMarked;
