// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

/** Messages of a protocol that stores and fetches bytes, written word by word, and its definition. */
final class Messages {
    static final String PROTOCOL = """
            enum status { OK = 0, NONE = 1 };
            struct stored { unsigned int id; /*@ddp eligible as argument */ opaque data<>; unsigned int mode; opaque label<>; };
            struct found { /*@ddp eligible as result; size args.count */ opaque data<>; unsigned int size; };
            union result switch (status answer) { case OK: found ok; default: void; };
            struct wanted { unsigned int count; };
            program STORE { version STORE_V1 { void PUT(stored) = 1; result GET(wanted) = 2; } = 1; } = 0x20000042;
            """;

    static final int XID = 0x1234;
    static final int MSG = 0;
    static final int NOMSG = 1;

    static final int PUT = 1;
    static final int GET = 2;
    /** Where the bytes of PUT's data begin: behind the RPC header, id and count. */
    static final int DATA_POSITION = 40 + 8;

    private Messages() {}

    static Words header(int credits, int type) {
        return Words.of(XID, 1, credits, type);
    }

    /** Empty chunk lists. */
    static Words plain(int credits) {
        return header(credits, MSG).and(0, 0, 0);
    }

    static Words call(int procedure) {
        return Words.of(XID, 0, 2, 0x20000042, 1, procedure, 0, 0, 0, 0);
    }

    static Words reply() {
        return Words.of(XID, 1, 0, 0, 0, 0);
    }

    static byte[] segment(int handle, int length, long offset) {
        return Words.of(handle, length).wide(offset).toBytes();
    }

    /** A call of GET that offers no chunk. */
    static byte[] get(int credits) {
        return plain(credits).and(call(GET).and(0)).toBytes();
    }

    /** A call of PUT whose data of this length are in a Read chunk of handle 7 at offset 0x100. */
    static byte[] putByChunk(int position, int length) {
        return header(1, MSG)
                .and(1, position)
                .and(segment(7, length, 0x100))
                .and(0, 0, 0)
                .and(call(PUT).and(5, length, 0, 0))
                .toBytes();
    }

    /** A call of GET that offers a Write chunk of handle 8 at offset 0x200. */
    static byte[] getByChunk(int room) {
        return header(1, MSG)
                .and(0, 1, 1)
                .and(segment(8, room, 0x200))
                .and(0, 0)
                .and(call(GET).and(room))
                .toBytes();
    }

    /** Its reply, with this many bytes in the chunk. */
    static byte[] gotByChunk(int credits, int length) {
        return header(credits, MSG)
                .and(0, 1, 1)
                .and(segment(8, length, 0x200))
                .and(0, 0)
                .and(reply().and(0, length, 99))
                .toBytes();
    }

    /** The reply to PUT. */
    static byte[] done(int credits) {
        return plain(credits).and(reply()).toBytes();
    }

    /**
     * A message with the next xid in its header.
     *
     * @param second where the RPC message is that gets it too; 0 for none
     */
    static byte[] otherXid(byte[] message, int second) {
        byte[] other = message.clone();
        other[3]++;
        if (second > 0) {
            other[second + 3]++;
        }
        return other;
    }
}
