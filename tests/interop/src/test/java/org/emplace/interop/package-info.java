// SPDX-License-Identifier: Apache-2.0
/** Judges the wire by what the Linux kernel's NFS client and server were recorded to say. */
@NullMarked
package org.emplace.interop;

import org.jspecify.annotations.NullMarked;
