// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.IOException;

/**
 * Directory cookies: the file system's own offsets, which may be counters or hashes of 63 bits. The values 0, 1 and 2 are reserved for the start, "." and ".."; an
 * entry with one of these offsets, on a file system that counts, gets one that no such file system comes to. Linux clients need positive ones.
 */
final class Cookies {
    static final long START = 0;
    static final long SELF = 1;
    static final long PARENT = 2;

    private static final long MOVED = Long.MAX_VALUE - 8;

    private Cookies() {}

    /** The cookie of an entry, from the offset of what comes after it. */
    static long of(long offset) throws IOException {
        if (offset < 0) {
            throw new IOException("the file system has directory offsets that clients cannot use: " + offset);
        }
        return offset <= PARENT ? MOVED + offset : offset;
    }

    /** The offset at which a listing goes on after a cookie. */
    static long offset(long cookie) {
        if (cookie <= PARENT) {
            return 0;
        }
        return cookie >= MOVED && cookie <= MOVED + PARENT ? cookie - MOVED : cookie;
    }
}
