// SPDX-License-Identifier: Apache-2.0
/** The tests that every store has to pass. */
@NullMarked
package org.emplace.samples.nfs.server.store;

import org.jspecify.annotations.NullMarked;
