// SPDX-License-Identifier: Apache-2.0
/**
 * The sample messages as classes for {@code org.acplt:oncrpc}, in the form that its own compiler gives them: one for each struct and union.
 * Leaner than its own in that types which only rename another, as {@code uint32} and {@code fileid3}, have no class here.
 */
@NullMarked
package org.emplace.benchmarks.xdr.oncrpc;

import org.jspecify.annotations.NullMarked;
