// SPDX-License-Identifier: Apache-2.0
/** The sample messages as classes for {@code org.acplt:oncrpc}, in the form that its own compiler gives such classes. */
@NullMarked
package org.emplace.benchmarks.xdr.oncrpc;

import org.jspecify.annotations.NullMarked;
