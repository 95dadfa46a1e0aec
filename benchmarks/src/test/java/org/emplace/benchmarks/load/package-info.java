// SPDX-License-Identifier: Apache-2.0
@NullMarked
package org.emplace.benchmarks.load;

import org.jspecify.annotations.NullMarked;
