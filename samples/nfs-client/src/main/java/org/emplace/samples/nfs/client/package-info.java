// SPDX-License-Identifier: Apache-2.0
/** The client of the sample: mounts an export of an NFS version 3 server and copies files to and from it over RDMA or TCP. */
@NullMarked
package org.emplace.samples.nfs.client;

import org.jspecify.annotations.NullMarked;
