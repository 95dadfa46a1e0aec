// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.IOException;

/**
 * Directory cookies. They are the file system's own offsets, which may be counters or hashes of 63 bits. The values 0, 1 and 2 are reserved for the
 * start, "." and "..". An entry with one of these offsets, in a file system that counts, gets a value that no such file system reaches. Linux clients
 * need positive cookies.
 */
final class Cookies {
    static final long START = 0;
    static final long SELF = 1;
    static final long PARENT = 2;

    private static final long MOVED = Long.MAX_VALUE - 8;

    private Cookies() {}

    /** The cookie of an entry, made from the offset of the entry after it. */
    static long of(long offset) throws IOException {
        if (offset < 0) {
            throw new IOException("the file system has directory offsets that clients cannot use: " + offset);
        }
        return offset <= PARENT ? MOVED + offset : offset;
    }

    /** The offset at which a listing continues after a cookie. */
    static long offset(long cookie) {
        if (cookie <= PARENT) {
            return 0;
        }
        return cookie >= MOVED && cookie <= MOVED + PARENT ? cookie - MOVED : cookie;
    }
}
