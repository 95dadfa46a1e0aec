// SPDX-License-Identifier: Apache-2.0
/** Which directories are served, to whom, and as whom they act there, as exports(5) describes it; and the file handles that clients get. */
@NullMarked
package org.emplace.samples.nfs.server.export;

import org.jspecify.annotations.NullMarked;
