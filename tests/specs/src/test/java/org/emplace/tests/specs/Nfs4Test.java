// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.specs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.tests.specs.Wire.ascii;
import static org.emplace.tests.specs.Wire.assertPayloadWire;
import static org.emplace.tests.specs.Wire.assertWire;
import static org.emplace.tests.specs.Wire.bytes;
import static org.emplace.tests.specs.Wire.encoded;
import static org.emplace.tests.specs.Wire.payload;

import java.util.List;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.tests.specs.nfs41.CbCompound4Args;
import org.emplace.tests.specs.nfs41.CbRecall4Args;
import org.emplace.tests.specs.nfs41.CbSequence4Args;
import org.emplace.tests.specs.nfs41.NfsCbArgop4;
import org.emplace.tests.specs.nfs42.Bitmap4;
import org.emplace.tests.specs.nfs42.Component4;
import org.emplace.tests.specs.nfs42.Compound4Args;
import org.emplace.tests.specs.nfs42.Compound4Res;
import org.emplace.tests.specs.nfs42.Constants;
import org.emplace.tests.specs.nfs42.Createtype4;
import org.emplace.tests.specs.nfs42.Data4;
import org.emplace.tests.specs.nfs42.DataContent4;
import org.emplace.tests.specs.nfs42.DataInfo4;
import org.emplace.tests.specs.nfs42.Getattr4Args;
import org.emplace.tests.specs.nfs42.Illegal4Res;
import org.emplace.tests.specs.nfs42.Lookup4Args;
import org.emplace.tests.specs.nfs42.Nfs4;
import org.emplace.tests.specs.nfs42.Nfs4Callback;
import org.emplace.tests.specs.nfs42.NfsArgop4;
import org.emplace.tests.specs.nfs42.NfsOpnum4;
import org.emplace.tests.specs.nfs42.NfsResop4;
import org.emplace.tests.specs.nfs42.Nfsstat4;
import org.emplace.tests.specs.nfs42.Putfh4Res;
import org.emplace.tests.specs.nfs42.Read4Args;
import org.emplace.tests.specs.nfs42.Read4Res;
import org.emplace.tests.specs.nfs42.Read4Resok;
import org.emplace.tests.specs.nfs42.ReadPlus4Res;
import org.emplace.tests.specs.nfs42.ReadPlusContent;
import org.emplace.tests.specs.nfs42.ReadPlusRes4;
import org.emplace.tests.specs.nfs42.Seek4Args;
import org.emplace.tests.specs.nfs42.Sequence4Args;
import org.emplace.tests.specs.nfs42.Sessionid4;
import org.emplace.tests.specs.nfs42.StableHow4;
import org.emplace.tests.specs.nfs42.Stateid4;
import org.emplace.tests.specs.nfs42.Write4Args;
import org.emplace.xdr.EncodedMessage.ChunkMark.PayloadMark;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.Test;

/** NFS version 4. The bytes are derived by hand from RFC 7531, 5662 and 7863. */
class Nfs4Test {
    private static final Stateid4 STATE = new Stateid4(1, bytes("a0a1a2a3 a4a5a6a7 a8a9aaab"));
    private static final String STATE_HEX = "00000001 a0a1a2a3a4a5a6a7a8a9aaab";
    private static final XdrOpaque SESSION = bytes("00112233 44556677 8899aabb ccddeeff");

    @Test
    void version40LooksUpTheRoot() throws Exception {
        assertWire(
                new org.emplace.tests.specs.nfs40.Compound4Args(
                        ascii("root"),
                        0,
                        List.of(
                                new org.emplace.tests.specs.nfs40.NfsArgop4.PutRootFh(),
                                new org.emplace.tests.specs.nfs40.NfsArgop4.GetFh())),
                org.emplace.tests.specs.nfs40.Compound4Args::decode,
                "00000004 726f6f74 00000000 00000002 00000018 0000000a");
        assertWire(
                new org.emplace.tests.specs.nfs40.Compound4Res(
                        org.emplace.tests.specs.nfs40.Nfsstat4.NFS4_OK,
                        ascii("root"),
                        List.of(
                                new org.emplace.tests.specs.nfs40.NfsResop4.PutRootFh(
                                        new org.emplace.tests.specs.nfs40.Putrootfh4Res(
                                                org.emplace.tests.specs.nfs40.Nfsstat4.NFS4_OK)),
                                new org.emplace.tests.specs.nfs40.NfsResop4.GetFh(
                                        new org.emplace.tests.specs.nfs40.Getfh4Res.Nfs4Ok(
                                                new org.emplace.tests.specs.nfs40.Getfh4Resok(
                                                        new org.emplace.tests.specs.nfs40.NfsFh4(
                                                                bytes("0102030405"))))))),
                org.emplace.tests.specs.nfs40.Compound4Res::decode,
                "00000000 00000004 726f6f74 00000002 00000018 00000000 0000000a 00000000 00000005 0102030405000000");
    }

    @Test
    void version41RecallsADelegation() throws Exception {
        assertWire(
                new CbCompound4Args(
                        XdrOpaque.EMPTY,
                        1,
                        0,
                        List.of(
                                new NfsCbArgop4.Sequence(new CbSequence4Args(
                                        new org.emplace.tests.specs.nfs41.Sessionid4(SESSION),
                                        7,
                                        0,
                                        3,
                                        false,
                                        List.of())),
                                new NfsCbArgop4.Recall(new CbRecall4Args(
                                        new org.emplace.tests.specs.nfs41.Stateid4(1, STATE.other()),
                                        true,
                                        new org.emplace.tests.specs.nfs41.NfsFh4(bytes("fe")))))),
                CbCompound4Args::decode,
                "00000000 00000001 00000000 00000002"
                        + "0000000b 00112233445566778899aabbccddeeff 00000007 00000000 00000003 00000000 00000000"
                        + "00000004" + STATE_HEX + "00000001 00000001 fe000000");
    }

    @Test
    void aStatusOfALaterVersionIsKept() throws Exception {
        assertWire(
                new Compound4Res(
                        Nfsstat4.of(10200),
                        XdrOpaque.EMPTY,
                        List.of(new NfsResop4.PutFh(new Putfh4Res(Nfsstat4.of(10200))))),
                Compound4Res::decode,
                "000027d8 00000000 00000001 00000016 000027d8");
    }

    @Test
    void anOperationWithoutADefinitionCanBeAnswered() throws Exception {
        assertWire(
                new Compound4Args(
                        XdrOpaque.EMPTY,
                        2,
                        List.of(new NfsArgop4.PutRootFh(), new NfsArgop4.Default(NfsOpnum4.of(200)))),
                Compound4Args::decode,
                "00000000 00000002 00000002 00000018 000000c8");
        assertWire(
                new NfsResop4.Illegal(new Illegal4Res(Nfsstat4.NFS4ERR_OP_ILLEGAL)),
                NfsResop4::decode,
                "0000273c 0000273c");
    }

    @Test
    void attributesAreAskedForByTheirNumbers() throws Exception {
        Bitmap4 wanted =
                Bitmap4.of(Constants.FATTR4_TYPE, Constants.FATTR4_SIZE).with(Constants.FATTR4_MODE);

        assertWire(
                new Compound4Args(
                        XdrOpaque.EMPTY,
                        2,
                        List.of(
                                new NfsArgop4.Lookup(new Lookup4Args(Component4.of("home"))),
                                new NfsArgop4.Getattr(new Getattr4Args(wanted)))),
                Compound4Args::decode,
                "00000000 00000002 00000002 0000000f 00000004 686f6d65 00000009 00000002 00000012 00000002");
        assertThat(wanted.contains(Constants.FATTR4_MODE)).isTrue();
        assertThat(wanted.contains(Constants.FATTR4_CHANGE)).isFalse();
    }

    @Test
    void version42SeeksAHole() throws Exception {
        assertWire(
                new Compound4Args(
                        XdrOpaque.EMPTY,
                        2,
                        List.of(
                                new NfsArgop4.Sequence(new Sequence4Args(new Sessionid4(SESSION), 9, 1, 2, true)),
                                new NfsArgop4.Seek(new Seek4Args(STATE, 1L << 32, DataContent4.NFS4_CONTENT_HOLE)))),
                Compound4Args::decode,
                "00000000 00000002 00000002"
                        + "00000035 00112233445566778899aabbccddeeff 00000009 00000001 00000002 00000001"
                        + "00000045" + STATE_HEX + "0000000100000000 00000001");
    }

    @Test
    void theDataOfReadWriteAndLinksMayBePlacedAndThoseOfReadPlusMayNot() throws Exception {
        assertPayloadWire(
                new Read4Res.Nfs4Ok(new Read4Resok(true, payload("hello"))),
                Read4Res::decode,
                "00000000 00000001 00000005 68656c6c6f000000");
        assertThat(encoded(new Read4Res.Nfs4Ok(new Read4Resok(true, payload("hello"))))
                        .marks())
                .singleElement()
                .isInstanceOf(PayloadMark.class);
        assertThat(encoded(new Write4Args(STATE, 0, StableHow4.FILE_SYNC4, payload("hello")))
                        .marks())
                .hasSize(1);
        assertThat(encoded(new Createtype4.Nf4Lnk(payload("target"))).marks()).hasSize(1);

        ReadPlusRes4 pieces = new ReadPlusRes4(
                true,
                List.of(
                        new ReadPlusContent.Nfs4ContentHole(new DataInfo4(0, 4096)),
                        new ReadPlusContent.Nfs4ContentData(new Data4(4096, ascii("hello")))));
        assertWire(
                new ReadPlus4Res.Nfs4Ok(pieces),
                ReadPlus4Res::decode,
                "00000000 00000001 00000002 00000001 0000000000000000 0000000000001000"
                        + "00000000 0000000000001000 00000005 68656c6c6f000000");
        assertThat(encoded(new ReadPlus4Res.Nfs4Ok(pieces)).marks()).isEmpty();
    }

    @Test
    void aCompoundOffersAWriteChunkForEachReadAndReadlinkInTheirOrder() {
        Compound4Args args = new Compound4Args(
                XdrOpaque.EMPTY,
                2,
                List.of(
                        new NfsArgop4.PutRootFh(),
                        new NfsArgop4.Read(new Read4Args(STATE, 0, 8192)),
                        new NfsArgop4.Readlink(),
                        new NfsArgop4.PutRootFh(),
                        new NfsArgop4.Read(new Read4Args(STATE, 0, 5))));

        assertThat(Wire.sizes(Nfs4.COMPOUND, args)).containsExactly(8192L, 4096L, 5L);
        assertThat(org.emplace.tests.specs.nfs40.Nfs4.PROGRAM.rdmaPort()).hasValue(20049);
        assertThat(Nfs4.COMPOUND.binding().violation()).isEqualTo(ProcedureBinding.Violation.GARBAGE_ARGS);
    }

    @Test
    void nothingOfACallbackMayBePlaced() {
        assertThat(Nfs4Callback.COMPOUND.binding().argumentsEligible()).isFalse();
        assertThat(Nfs4Callback.COMPOUND.binding().resultsEligible()).isFalse();
    }

    @Test
    void aCompoundThatFailsEndsWithTheOperationThatFailed() throws Exception {
        assertWire(
                new Compound4Res(
                        Nfsstat4.NFS4ERR_STALE,
                        XdrOpaque.EMPTY,
                        List.of(new NfsResop4.PutFh(new Putfh4Res(Nfsstat4.NFS4ERR_STALE)))),
                Compound4Res::decode,
                "00000046 00000000 00000001 00000016 00000046");
    }
}
