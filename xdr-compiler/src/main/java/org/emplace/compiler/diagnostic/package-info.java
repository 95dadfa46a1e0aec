// SPDX-License-Identifier: Apache-2.0
/** What the compiler has to say about its input: values; printing them is the caller's choice. */
@NullMarked
package org.emplace.compiler.diagnostic;

import org.jspecify.annotations.NullMarked;
