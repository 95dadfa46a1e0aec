// SPDX-License-Identifier: Apache-2.0
/** The command {@code nfs}: one class for each of its subcommands. */
@NullMarked
package org.emplace.samples.nfs.client.command;

import org.jspecify.annotations.NullMarked;
