// SPDX-License-Identifier: Apache-2.0
/** What RDMA providers have in common, for those that want it. The interfaces in {@link org.emplace.rdma} do not know it. */
@NullMarked
package org.emplace.rdma.provider;

import org.jspecify.annotations.NullMarked;
