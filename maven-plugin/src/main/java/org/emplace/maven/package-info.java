// SPDX-License-Identifier: Apache-2.0
/** The compiler in a Maven build: a class for each goal, which depends on Maven, and {@link Generation}, which does not. */
@NullMarked
package org.emplace.maven;

import org.jspecify.annotations.NullMarked;
