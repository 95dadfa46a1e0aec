// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

/** A rule of RPC-over-RDMA that a capture can show to be broken, with its sections in draft-ietf-nfsv4-rfc5666bis-01 and RFC 8166, and its message. */
enum Rule {
    ONLY_THE_REQUESTER_EXPOSES("4.1", "3.1", "a reply has a Read list"),
    CREDITS_ARE_NOT_ZERO("4.3", "3.3.1", "the %s no credits"),
    NO_MORE_CALLS_THAN_GRANTED("4.3", "3.3.1", "calls in flight: %d; credits granted: %d"),
    ONE_CALL_BEFORE_THE_FIRST_REPLY("4.3.1", "3.3.3", "calls in flight: %d, before the first reply"),
    ELIGIBLE_ITEMS_ONLY("4.4.1", "3.4.2", "a Read chunk carries %s, which the binding does not make eligible here"),
    COUNT_IS_THAT_OF_THE_CHUNK("4.4.3.1", "3.4.4", "%s has %s by its count, but %,d in %s"),
    POSITION_IS_THAT_OF_AN_ITEM("4.4.4", "3.4.5", "a Read chunk has the position %,d%s"),
    POSITION_IS_ALIGNED("4.4.4.1", "3.4.5", "the position %,d of a Read chunk is not a multiple of four"),
    READS_END_WITH_THE_REPLY("4.4.4.2", "3.4.5", "the memory belongs to the answered call with xid 0x%08x"),
    CHUNKS_COME_BACK_AS_THEY_WERE("4.4.5", "3.4.6", "%s"),
    LENGTHS_ARE_WHAT_WAS_WRITTEN(
            "4.4.5", "3.4.6", "segment %d of %s comes back with %s, but %,d were written before the reply"),
    UNUSED_CHUNKS_ARE_EMPTY("4.4.5.1", "3.4.6", "%s comes back with a length, but has no result"),
    WRITES_COME_BEFORE_THE_REPLY("4.5", "2.3", "the memory belongs to the answered call with xid 0x%08x"),
    HEADER_IS_WELL_FORMED("5", "4.1", "%s"),
    ONE_XID("5.1.1", "4.2.1", "%s"),
    VERSION_IS_ONE("5.1.2", "4.2.2", "%s"),
    MESSAGE_FITS_INLINE("5.1.4", "4.2.4", "the message has %,d bytes, but at most %,d may be sent inline"),
    RESULTS_GO_BY_THE_WRITE_LIST("5.2.2", "4.3.2", "%s is inline, but %s has room for it"),
    LONG_CALLS_ARE_NOMSG("5.3.3", "3.5.3", "%s"),
    LONG_REPLIES_ARE_NOMSG("5.3.4", "3.5.3", "%s"),
    MESSAGE_IS_DECODABLE("5.5", "4.5", "%s"),
    NO_MSGP("5.7.1", "4.6.1", "RDMA_MSGP is no longer sent"),
    NO_DONE("5.7.2", "4.6.2", "RDMA_DONE is no longer sent"),
    NO_CHUNKS_BACKWARD("8.3.4", "", "a message in the backward direction has chunks"),
    ACCESS_STAYS_IN_ITS_SEGMENT("10.1", "8.1", "%s");

    private final String draft;
    private final String rfc8166;
    private final String format;

    Rule(String draft, String rfc8166, String format) {
        this.draft = draft;
        this.rfc8166 = rfc8166;
        this.format = format;
    }

    /** The message that says how the rule is broken, with its sections. */
    String broken(Object... arguments) {
        String rfc = rfc8166.isEmpty() ? "RFC 8167 5" : "RFC 8166 " + rfc8166;
        return Timeline.text(format, arguments) + " (rfc5666bis-01 " + draft + ", " + rfc + ")";
    }
}
