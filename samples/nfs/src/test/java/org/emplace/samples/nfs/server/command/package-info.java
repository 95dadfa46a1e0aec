// SPDX-License-Identifier: Apache-2.0
@NullMarked
package org.emplace.samples.nfs.server.command;

import org.jspecify.annotations.NullMarked;
