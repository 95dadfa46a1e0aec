// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program;

/**
 * The room for entries in one reply, in encoded bytes (RFC 1813 sections 3.3.16 and 3.3.17). READDIRPLUS has two limits: one for ids, names
 * and cookies, the other for the whole result.
 */
final class ListingBudget {
    /** The longest reply, whatever room the caller has. */
    private static final long LARGEST = 1 << 20;

    /** The most entries, and the most attributes of files, that one call looks at. */
    private static final int MOST_ENTRIES = 8192;

    private static final int MOST_FILES = 2048;

    private static final int FLAG = 4;
    private static final int ATTRIBUTES = 84;
    private static final int VERIFIER = 8;

    /** The directory's attributes, the verifier, the end of the list and whether it is the end of the directory. */
    private static final int FRAME = FLAG + ATTRIBUTES + VERIFIER + FLAG + FLAG;

    private static final int COUNT = 4;
    private static final int HYPER = 8;

    private long names;
    private long all;
    private int entries;

    private ListingBudget(long names, long all, int entries) {
        this.entries = entries;
        this.names = names;
        this.all = Math.min(all, LARGEST) - FRAME;
    }

    static ListingBudget ofReaddir(long count) {
        return new ListingBudget(Long.MAX_VALUE, count, MOST_ENTRIES);
    }

    static ListingBudget ofReaddirplus(long dircount, long maxcount) {
        return new ListingBudget(dircount, maxcount, MOST_FILES);
    }

    /** The encoded bytes of an entry's attributes and handle. The length is negative if there is no handle. */
    static int plus(boolean attributes, int handleLength) {
        return FLAG + (attributes ? ATTRIBUTES : 0) + FLAG + (handleLength < 0 ? 0 : COUNT + padded(handleLength));
    }

    /** Takes the room for an entry. Returns false and takes nothing if there is not enough. */
    boolean take(int nameLength, int plus) {
        int name = HYPER + COUNT + padded(nameLength) + HYPER;
        int whole = FLAG + name + plus;
        if (name > names || whole > all || entries == 0) {
            return false;
        }
        names -= name;
        all -= whole;
        entries--;
        return true;
    }

    private static int padded(int length) {
        return (length + 3) & ~3;
    }
}
