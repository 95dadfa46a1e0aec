// SPDX-License-Identifier: Apache-2.0
/** Values of the protocol definitions whose bytes are known, and calls that their bindings let go by chunks. */
@NullMarked
package org.emplace.tests.specs;

import org.jspecify.annotations.NullMarked;
