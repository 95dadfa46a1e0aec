// SPDX-License-Identifier: Apache-2.0
@NullMarked
package org.emplace.samples.nfs.server.handle;

import org.jspecify.annotations.NullMarked;
