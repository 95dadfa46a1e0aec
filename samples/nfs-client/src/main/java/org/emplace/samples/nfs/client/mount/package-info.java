// SPDX-License-Identifier: Apache-2.0
/** Mounting an export: options, the caller's identity, and the connection. */
@NullMarked
package org.emplace.samples.nfs.client.mount;

import org.jspecify.annotations.NullMarked;
