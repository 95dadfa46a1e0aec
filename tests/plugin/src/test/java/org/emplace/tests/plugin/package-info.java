// SPDX-License-Identifier: Apache-2.0
/** Builds of other projects with the Maven plugin, looked at from outside. */
@NullMarked
package org.emplace.tests.plugin;

import org.jspecify.annotations.NullMarked;
