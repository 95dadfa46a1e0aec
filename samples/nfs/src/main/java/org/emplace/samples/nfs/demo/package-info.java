// SPDX-License-Identifier: Apache-2.0
/** What the repository's command {@code demo} runs: real files to the server and back, and every byte compared. */
@NullMarked
package org.emplace.samples.nfs.demo;

import org.jspecify.annotations.NullMarked;
