// SPDX-License-Identifier: Apache-2.0
/** Local file names as the bytes that they are: what server and client have in common. */
@NullMarked
package org.emplace.samples.nfs.path;

import org.jspecify.annotations.NullMarked;
