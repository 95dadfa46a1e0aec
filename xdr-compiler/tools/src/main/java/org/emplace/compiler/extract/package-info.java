// SPDX-License-Identifier: Apache-2.0
/** XDR out of the text of RFCs and drafts. */
@NullMarked
package org.emplace.compiler.extract;

import org.jspecify.annotations.NullMarked;
