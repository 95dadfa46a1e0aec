// SPDX-License-Identifier: Apache-2.0
/**
 * RDMAP messages in DDP segments in FPDUs (RFC 5040, RFC 5041, RFC 5044 section 4): headers, Terminate messages, and the reading and writing of
 * FPDUs; and the MPA request and reply by which the two sides of a connection agree on them (RFC 5044 section 7, RFC 6581). The layer above
 * determines where payload is placed; the handshakes of the package above do the waiting.
 *
 * <p>Used by the two packages above it. Nothing here knows a queue pair, or decides where bytes go.
 */
@NullMarked
package org.emplace.rdma.iwarp.framing;

import org.jspecify.annotations.NullMarked;
