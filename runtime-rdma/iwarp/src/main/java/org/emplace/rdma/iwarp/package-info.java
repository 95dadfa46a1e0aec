// SPDX-License-Identifier: Apache-2.0
/**
 * Software iWARP: RDMA over TCP in pure Java (MPA: RFC 5044 and RFC 6581; DDP: RFC 5041; RDMAP: RFC 5040), for machines without RDMA
 * hardware. Works with the Linux kernel's siw driver in either role; it has not been tried with an iWARP adapter.
 *
 * <p>The payload of a Write, a Read Response or a long Send goes from the registered memory to the socket and from the socket to the
 * registered memory; only the kernel copies it. Therefore a segment is placed before its CRC is checked. If the check fails, the
 * connection ends, and the segment's destination holds the corrupt bytes.
 *
 * <p>This package opens providers and sets up connections. The packages below it, each of which uses only later ones, are {@code queuepair},
 * {@code framing} and {@code memory}.
 */
@NullMarked
package org.emplace.rdma.iwarp;

import org.jspecify.annotations.NullMarked;
