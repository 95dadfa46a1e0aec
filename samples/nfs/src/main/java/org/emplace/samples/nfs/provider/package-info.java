// SPDX-License-Identifier: Apache-2.0
/** The choice of an RDMA provider by the user of a command. */
@NullMarked
package org.emplace.samples.nfs.provider;

import org.jspecify.annotations.NullMarked;
