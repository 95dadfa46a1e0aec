// SPDX-License-Identifier: Apache-2.0
/**
 * What the two sides of a connection tell each other by MPA request and reply (RFC 5044 section 7, RFC 6581), and what they have agreed on
 * then. Frames and rules only; waiting and answering are the work of the handshakes above.
 */
@NullMarked
package org.emplace.rdma.iwarp.negotiation;

import org.jspecify.annotations.NullMarked;
