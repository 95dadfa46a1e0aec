// SPDX-License-Identifier: Apache-2.0
/**
 * What the two sides of a connection tell each other by MPA request and reply (RFC 5044 section 7, RFC 6581), and what they then have agreed on. This
 * package has frames and rules only; the handshakes above wait and answer.
 */
@NullMarked
package org.emplace.rdma.iwarp.negotiation;

import org.jspecify.annotations.NullMarked;
