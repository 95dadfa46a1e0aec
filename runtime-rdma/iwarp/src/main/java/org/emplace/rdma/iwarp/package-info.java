// SPDX-License-Identifier: Apache-2.0
/**
 * Software iWARP: RDMA over TCP in pure Java (MPA: RFC 5044 and RFC 6581; DDP: RFC 5041; RDMAP: RFC 5040), for machines without RDMA
 * hardware. Speaks to the Linux kernel's siw driver and to iWARP adapters in either role.
 *
 * <p>Bytes of a Send, a Write or a Read Response are written from registered memory to the socket, and read from the socket into registered
 * memory, without a copy. So a segment is placed before its CRC is checked: a segment that fails the check ends the connection, and its
 * destination holds the bytes that arrived.
 *
 * <p>This package opens providers and sets up connections. The packages below it, each of which uses only later ones, are {@code queuepair},
 * {@code negotiation}, {@code framing}, {@code memory} and {@code tcp}.
 */
@NullMarked
package org.emplace.rdma.iwarp;

import org.jspecify.annotations.NullMarked;
