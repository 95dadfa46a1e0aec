// SPDX-License-Identifier: Apache-2.0
/** Errors of the JVM, at each place of the runtime's code where one can happen. */
@NullMarked
package org.emplace.faults;

import org.jspecify.annotations.NullMarked;
