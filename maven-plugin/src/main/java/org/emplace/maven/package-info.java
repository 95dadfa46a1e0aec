// SPDX-License-Identifier: Apache-2.0
/** The compiler in a Maven build: goal {@code emplace:generate}. */
@NullMarked
package org.emplace.maven;

import org.jspecify.annotations.NullMarked;
