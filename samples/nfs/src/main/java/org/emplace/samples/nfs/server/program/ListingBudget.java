// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program;

/**
 * Room for the entries of one reply, in bytes of their encoding (RFC 1813 sections 3.3.16 and 3.3.17). Of READDIRPLUS one limit counts ids,
 * names and cookies alone, the other the whole result.
 */
final class ListingBudget {
    /** Replies are no longer than transfers, whatever the caller has room for. */
    private static final long LARGEST = 1 << 20;

    /** One call looks at no more entries, and at no more files of entries, however short their names are. */
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

    /** Bytes of an entry's attributes and handle; the length is negative if there is no handle. */
    static int plus(boolean attributes, int handleLength) {
        return FLAG + (attributes ? ATTRIBUTES : 0) + FLAG + (handleLength < 0 ? 0 : COUNT + padded(handleLength));
    }

    /** Takes the room of an entry; false, and nothing is taken, if there is not so much. */
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
