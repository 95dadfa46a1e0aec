// SPDX-License-Identifier: Apache-2.0
/** Tests of the command {@code nfs}, against the sample's server. */
@NullMarked
package org.emplace.samples.nfs.client.command;

import org.jspecify.annotations.NullMarked;
