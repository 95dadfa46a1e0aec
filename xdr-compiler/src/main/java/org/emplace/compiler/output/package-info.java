// SPDX-License-Identifier: Apache-2.0
/** What earlier runs generated, and what of it may be removed or overwritten: for the command as for the Maven plugin. */
@NullMarked
package org.emplace.compiler.output;

import org.jspecify.annotations.NullMarked;
