// SPDX-License-Identifier: Apache-2.0
/** What the versions of the NFS program share: the files that calls name, what calls bring, and the statuses and the log of failures. */
@NullMarked
package org.emplace.samples.nfs.server.program;

import org.jspecify.annotations.NullMarked;
