// SPDX-License-Identifier: Apache-2.0
/** The server program against which clients run loads. */
@NullMarked
package org.emplace.benchmarks.server;

import org.jspecify.annotations.NullMarked;
