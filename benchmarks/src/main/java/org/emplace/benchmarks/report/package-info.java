// SPDX-License-Identifier: Apache-2.0
/** The measurements as tables and charts. */
@NullMarked
package org.emplace.benchmarks.report;

import org.jspecify.annotations.NullMarked;
