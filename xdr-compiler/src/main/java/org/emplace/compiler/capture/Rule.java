// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

/** A rule of RPC-over-RDMA that a capture can show to be broken, with its sections in draft-ietf-nfsv4-rfc5666bis-01 and RFC 8166. */
enum Rule {
    ONLY_THE_REQUESTER_EXPOSES("4.1", "3.1"),
    CREDITS_ARE_NOT_ZERO("4.3", "3.3.1"),
    NO_MORE_CALLS_THAN_GRANTED("4.3", "3.3.1"),
    ONE_CALL_BEFORE_THE_FIRST_REPLY("4.3.1", "3.3.3"),
    ELIGIBLE_ITEMS_ONLY("4.4.1", "3.4.2"),
    COUNT_IS_THAT_OF_THE_CHUNK("4.4.3.1", "3.4.4"),
    POSITION_IS_THAT_OF_AN_ITEM("4.4.4", "3.4.5"),
    POSITION_IS_ALIGNED("4.4.4.1", "3.4.5"),
    READS_END_WITH_THE_REPLY("4.4.4.2", "3.4.5"),
    CHUNKS_COME_BACK_AS_THEY_WERE("4.4.5", "3.4.6"),
    LENGTHS_ARE_WHAT_WAS_WRITTEN("4.4.5", "3.4.6"),
    UNUSED_CHUNKS_ARE_EMPTY("4.4.5.1", "3.4.6"),
    WRITES_COME_BEFORE_THE_REPLY("4.5", "2.3"),
    HEADER_IS_WELL_FORMED("5", "4.1"),
    ONE_XID("5.1.1", "4.2.1"),
    VERSION_IS_ONE("5.1.2", "4.2.2"),
    MESSAGE_FITS_INLINE("5.1.4", "4.2.4"),
    RESULTS_GO_BY_THE_WRITE_LIST("5.2.2", "4.3.2"),
    LONG_CALLS_ARE_NOMSG("5.3.3", "3.5.3"),
    LONG_REPLIES_ARE_NOMSG("5.3.4", "3.5.3"),
    MESSAGE_IS_DECODABLE("5.5", "4.5"),
    NO_MSGP("5.7.1", "4.6.1"),
    NO_DONE("5.7.2", "4.6.2"),
    NO_CHUNKS_BACKWARD("8.3.4", ""),
    ACCESS_STAYS_IN_ITS_SEGMENT("10.1", "8.1");

    private final String draft;
    private final String rfc8166;

    Rule(String draft, String rfc8166) {
        this.draft = draft;
        this.rfc8166 = rfc8166;
    }

    String sections() {
        return "draft " + draft + ", " + (rfc8166.isEmpty() ? "RFC 8167 5" : "RFC 8166 " + rfc8166);
    }
}
