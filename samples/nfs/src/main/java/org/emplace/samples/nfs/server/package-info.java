// SPDX-License-Identifier: Apache-2.0
/** An NFS version 3 server: exports of stores, served as programs over RDMA and TCP. */
@NullMarked
package org.emplace.samples.nfs.server;

import org.jspecify.annotations.NullMarked;
