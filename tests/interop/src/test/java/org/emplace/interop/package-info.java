// SPDX-License-Identifier: Apache-2.0
/** Compares our bytes on the wire with those of the Linux kernel's NFS client and server, as recorded, and with those of rpcgen and libtirpc. */
@NullMarked
package org.emplace.interop;

import org.jspecify.annotations.NullMarked;
