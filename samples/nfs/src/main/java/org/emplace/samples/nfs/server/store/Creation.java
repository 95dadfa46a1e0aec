// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

/** How a file is to be made (createhow3, RFC 1813 section 3.3.8). */
public sealed interface Creation {

    /** If the name is taken by a regular file, that one will do; of the attributes only the size is then set. */
    record Unchecked(AttributeChange attributes) implements Creation {}

    /** Only if the name is free. */
    record Guarded(AttributeChange attributes) implements Creation {}

    /**
     * Only if the name is free, or was taken by an earlier sending of this very call, which the verifier tells. It is kept in the new file's
     * times, so it survives a restart; the client sets these afterwards.
     */
    record Exclusive(long verifier) implements Creation {}
}
