// SPDX-License-Identifier: Apache-2.0
/** The client's view of an export: single calls, attributes, listings, and the way along a path. */
@NullMarked
package org.emplace.samples.nfs.client.calls;

import org.jspecify.annotations.NullMarked;
