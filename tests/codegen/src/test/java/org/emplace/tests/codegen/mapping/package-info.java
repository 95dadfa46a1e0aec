// SPDX-License-Identifier: Apache-2.0
/**
 * Random protocols with eligible items in every position, called over every transport: each result must be in its own
 * buffer.
 */
@NullMarked
package org.emplace.tests.codegen.mapping;

import org.jspecify.annotations.NullMarked;
