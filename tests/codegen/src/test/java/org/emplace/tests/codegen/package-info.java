// SPDX-License-Identifier: Apache-2.0
/** Tests generated code: the bytes that it sends, the bytes that it rejects, and that it compiles. */
@NullMarked
package org.emplace.tests.codegen;

import org.jspecify.annotations.NullMarked;
