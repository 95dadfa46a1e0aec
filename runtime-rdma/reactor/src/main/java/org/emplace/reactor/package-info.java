// SPDX-License-Identifier: Apache-2.0
/**
 * Event loops that serve non-blocking channels, their timers, the acceptance of connections, and the threads of the runtime. Nothing here
 * knows what the bytes mean, and nothing here needs another package of this project.
 */
@NullMarked
package org.emplace.reactor;

import org.jspecify.annotations.NullMarked;
