// SPDX-License-Identifier: Apache-2.0
/** What was measured, as tables for people. */
@NullMarked
package org.emplace.benchmarks.report;

import org.jspecify.annotations.NullMarked;
