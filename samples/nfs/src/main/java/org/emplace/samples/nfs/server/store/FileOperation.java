// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import java.io.IOException;

/** An operation on files. */
@FunctionalInterface
public interface FileOperation<T> {
    T run() throws IOException;
}
