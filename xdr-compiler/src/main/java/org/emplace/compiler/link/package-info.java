// SPDX-License-Identifier: Apache-2.0
/** From syntax records to the checked {@linkplain org.emplace.compiler.model model}: a short list of passes. */
@NullMarked
package org.emplace.compiler.link;

import org.jspecify.annotations.NullMarked;
