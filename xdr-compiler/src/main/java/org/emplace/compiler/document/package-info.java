// SPDX-License-Identifier: Apache-2.0
/** The Upper Layer Binding as a document. */
@NullMarked
package org.emplace.compiler.document;

import org.jspecify.annotations.NullMarked;
