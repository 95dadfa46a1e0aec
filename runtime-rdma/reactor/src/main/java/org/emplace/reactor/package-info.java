// SPDX-License-Identifier: Apache-2.0
/**
 * The event loop, with its timers and shares; sockets that it serves, and the acceptor of connections; the threads of the runtime. The loop knows
 * neither sockets nor devices, only an {@link org.emplace.reactor.IoHandler}. This package does not know what the bytes mean, and depends on no other
 * package of this project.
 */
@NullMarked
package org.emplace.reactor;

import org.jspecify.annotations.NullMarked;
