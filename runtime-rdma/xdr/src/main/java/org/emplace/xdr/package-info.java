// SPDX-License-Identifier: Apache-2.0
/**
 * Encodes and decodes Java values in External Data Representation (RFC 4506), directly in the buffers of transports.
 * Generated types implement {@link org.emplace.xdr.XdrValue}. Marks in an {@link org.emplace.xdr.EncodedMessage} tell a
 * transport which data items it may move as chunks (RFC 8166 section 3.4).
 *
 * <p>Used by generated code, applications and transports; it uses nothing of the runtime. What a procedure is, and how a chunk is moved,
 * is not known here.
 */
@NullMarked
package org.emplace.xdr;

import org.jspecify.annotations.NullMarked;
