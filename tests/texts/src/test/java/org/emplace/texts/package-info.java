// SPDX-License-Identifier: Apache-2.0
/** Checks what people read: the pages, the public Javadoc, names, citations and links. */
@NullMarked
package org.emplace.texts;

import org.jspecify.annotations.NullMarked;
