// SPDX-License-Identifier: Apache-2.0
@NullMarked
package org.emplace.benchmarks.darpc;

import org.jspecify.annotations.NullMarked;
