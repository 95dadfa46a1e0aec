// SPDX-License-Identifier: Apache-2.0
/**
 * RDMAP messages in DDP segments in FPDUs (RFC 5040, RFC 5041, RFC 5044 section 4): headers and Terminate messages as values, and the way of
 * FPDUs onto the wire and off it. Where a payload belongs is decided above.
 */
@NullMarked
package org.emplace.rdma.iwarp.framing;

import org.jspecify.annotations.NullMarked;
