// SPDX-License-Identifier: Apache-2.0
/**
 * The sample messages as classes for {@code org.acplt:oncrpc}, in the form that its own compiler generates: one class for each struct and union.
 * Unlike that compiler, they have no classes for types that only rename another type, such as {@code uint32} and {@code fileid3}.
 */
@NullMarked
package org.emplace.benchmarks.xdr.oncrpc;

import org.jspecify.annotations.NullMarked;
