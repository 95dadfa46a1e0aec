// SPDX-License-Identifier: Apache-2.0
/** The program of the repository's command {@code demo}: it copies real files to the server and back, and compares every byte. */
@NullMarked
package org.emplace.samples.nfs.demo;

import org.jspecify.annotations.NullMarked;
