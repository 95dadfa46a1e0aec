// SPDX-License-Identifier: Apache-2.0
/** The NFS version 3 client of the sample: locations and names on a server, and its failures. The packages below use each other from {@code copy} down to {@code calls}. */
@NullMarked
package org.emplace.samples.nfs.client;

import org.jspecify.annotations.NullMarked;
