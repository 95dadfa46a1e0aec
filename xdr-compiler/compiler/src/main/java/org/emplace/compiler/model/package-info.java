// SPDX-License-Identifier: Apache-2.0
/** The checked protocol: immutable, every name resolved, every constant a number. Knows neither ANTLR nor JavaPoet. */
@NullMarked
package org.emplace.compiler.model;

import org.jspecify.annotations.NullMarked;
