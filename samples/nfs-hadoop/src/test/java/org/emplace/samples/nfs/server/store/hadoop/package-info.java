// SPDX-License-Identifier: Apache-2.0
@NullMarked
package org.emplace.samples.nfs.server.store.hadoop;

import org.jspecify.annotations.NullMarked;
