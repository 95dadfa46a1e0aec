// SPDX-License-Identifier: Apache-2.0
/**
 * Code that RDMA providers share. Its use is optional; the interfaces in {@link org.emplace.rdma} do not depend on it.
 */
@NullMarked
package org.emplace.rdma.provider;

import org.jspecify.annotations.NullMarked;
