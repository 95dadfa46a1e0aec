// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

/**
 * A quadruple-precision floating-point number (RFC 4506 section 4.8) as its 128 bits, because Java has no such type.
 *
 * @param high sign, exponent and the first 48 bits of the fraction
 * @param low the last 64 bits of the fraction
 */
public record XdrQuadruple(long high, long low) {}
