// SPDX-License-Identifier: Apache-2.0
/** Exports after exports(5): the directories, their clients, the users as whom clients act, and the file handles. */
@NullMarked
package org.emplace.samples.nfs.server.export;

import org.jspecify.annotations.NullMarked;
