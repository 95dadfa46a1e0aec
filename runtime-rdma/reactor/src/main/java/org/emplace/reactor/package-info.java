// SPDX-License-Identifier: Apache-2.0
/**
 * Event loops for non-blocking channels, their timers, the acceptor of connections, and the threads of the runtime. This package does not know what
 * the bytes mean, and depends on no other package of this project.
 */
@NullMarked
package org.emplace.reactor;

import org.jspecify.annotations.NullMarked;
