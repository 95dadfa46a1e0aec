// SPDX-License-Identifier: Apache-2.0
/**
 * RDMAP messages in DDP segments in FPDUs (RFC 5040, RFC 5041, RFC 5044 section 4): headers, Terminate messages, and the reading and writing of
 * FPDUs. The layer above determines where payload is placed.
 */
@NullMarked
package org.emplace.rdma.iwarp.framing;

import org.jspecify.annotations.NullMarked;
