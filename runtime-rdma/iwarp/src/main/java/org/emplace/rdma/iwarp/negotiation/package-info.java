// SPDX-License-Identifier: Apache-2.0
/**
 * The MPA request and reply of the two sides of a connection (RFC 5044 section 7, RFC 6581), and the values that they negotiate. This package has
 * only frames and rules; the handshakes of the package above do the waiting and replying.
 */
@NullMarked
package org.emplace.rdma.iwarp.negotiation;

import org.jspecify.annotations.NullMarked;
