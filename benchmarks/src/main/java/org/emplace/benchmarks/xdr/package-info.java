// SPDX-License-Identifier: Apache-2.0
/** Encoding and decoding alone: the same bytes by generated code, by another Java library and by C. */
@NullMarked
package org.emplace.benchmarks.xdr;

import org.jspecify.annotations.NullMarked;
