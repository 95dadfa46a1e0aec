// SPDX-License-Identifier: Apache-2.0
/** The interface between the server and the place where its files are stored, in the terms of RFC 1813. */
@NullMarked
package org.emplace.samples.nfs.server.store;

import org.jspecify.annotations.NullMarked;
