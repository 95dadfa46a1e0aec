// SPDX-License-Identifier: Apache-2.0
/** The command {@code nfs-server}. */
@NullMarked
package org.emplace.samples.nfs.server.command;

import org.jspecify.annotations.NullMarked;
