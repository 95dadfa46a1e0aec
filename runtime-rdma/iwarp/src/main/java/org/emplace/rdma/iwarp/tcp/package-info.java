// SPDX-License-Identifier: Apache-2.0
/**
 * TCP connections on event loops: the socket calls that move bytes, and an end that loses nothing. Nothing here knows what the bytes mean.
 */
@NullMarked
package org.emplace.rdma.iwarp.tcp;

import org.jspecify.annotations.NullMarked;
