// SPDX-License-Identifier: Apache-2.0
/** Encoding and decoding alone: the same bytes with generated code, with another Java library, and with C. */
@NullMarked
package org.emplace.benchmarks.xdr;

import org.jspecify.annotations.NullMarked;
