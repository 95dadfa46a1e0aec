// SPDX-License-Identifier: Apache-2.0
/** A store over any file system of Java. It checks every component of a path each time it uses the path. */
@NullMarked
package org.emplace.samples.nfs.server.store.nio;

import org.jspecify.annotations.NullMarked;
