// SPDX-License-Identifier: Apache-2.0
/** Statistics of a server's calls: a table, and a page for browsers on this machine. */
@NullMarked
package org.emplace.samples.nfs.server.status;

import org.jspecify.annotations.NullMarked;
