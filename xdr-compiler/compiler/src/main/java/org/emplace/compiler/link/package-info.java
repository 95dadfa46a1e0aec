// SPDX-License-Identifier: Apache-2.0
/** The linker: from syntax records to the checked {@linkplain org.emplace.compiler.model model}, in six passes. */
@NullMarked
package org.emplace.compiler.link;

import org.jspecify.annotations.NullMarked;
