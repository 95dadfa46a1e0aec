// SPDX-License-Identifier: Apache-2.0
/**
 * External Data Representation (RFC 4506) straight between Java values and transport buffers, with the marks that tell a transport
 * which data items it may move as chunks (RFC 8166 section 3.4).
 */
@NullMarked
package org.emplace.xdr;

import org.jspecify.annotations.NullMarked;
