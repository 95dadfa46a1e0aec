// SPDX-License-Identifier: Apache-2.0
@NullMarked
package org.emplace.benchmarks.process;

import org.jspecify.annotations.NullMarked;
