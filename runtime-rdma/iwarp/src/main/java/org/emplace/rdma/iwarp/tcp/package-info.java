// SPDX-License-Identifier: Apache-2.0
/**
 * TCP connections on event loops: the socket calls that move bytes, and closing without loss. Does not know what the bytes mean.
 */
@NullMarked
package org.emplace.rdma.iwarp.tcp;

import org.jspecify.annotations.NullMarked;
