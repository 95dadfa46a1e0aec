// SPDX-License-Identifier: Apache-2.0
/** A store over any file system that Java has: paths, of which every component is checked each time one is used. */
@NullMarked
package org.emplace.samples.nfs.server.store.nio;

import org.jspecify.annotations.NullMarked;
