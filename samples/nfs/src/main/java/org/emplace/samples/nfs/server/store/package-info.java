// SPDX-License-Identifier: Apache-2.0
/** What a server needs of the place where files are: the contract of a store, in the terms of RFC 1813. */
@NullMarked
package org.emplace.samples.nfs.server.store;

import org.jspecify.annotations.NullMarked;
