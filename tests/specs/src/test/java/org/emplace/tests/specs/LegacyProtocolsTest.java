// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.specs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.tests.specs.Wire.assertPayloadWire;
import static org.emplace.tests.specs.Wire.assertWire;
import static org.emplace.tests.specs.Wire.bytes;
import static org.emplace.tests.specs.Wire.encoded;
import static org.emplace.tests.specs.Wire.payload;

import org.emplace.tests.specs.mount1.Fhstatus;
import org.emplace.tests.specs.nfs2.Fattr;
import org.emplace.tests.specs.nfs2.Ftype;
import org.emplace.tests.specs.nfs2.Nfs2;
import org.emplace.tests.specs.nfs2.Readargs;
import org.emplace.tests.specs.nfs2.Readok;
import org.emplace.tests.specs.nfs2.Readres;
import org.emplace.tests.specs.nfs2.Timeval;
import org.emplace.tests.specs.nfs2.Writeargs;
import org.emplace.tests.specs.nlm4.Nlm4;
import org.emplace.tests.specs.nlm4.Nlm4Lock;
import org.emplace.tests.specs.nlm4.Nlm4Lockargs;
import org.emplace.tests.specs.nsm.Nsm;
import org.emplace.tests.specs.nsm.StatChge;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrString;
import org.junit.jupiter.api.Test;

/** NFS version 2 and the side protocols of versions 2 and 3. The bytes are derived by hand from RFC 1094, RFC 1813 and XNFS. */
class LegacyProtocolsTest {
    private static final String HANDLE_HEX = "0102030405060708".repeat(4);
    private static final XdrOpaque HANDLE = bytes(HANDLE_HEX);

    @Test
    void nfs2Reads() throws Exception {
        assertWire(new Readargs(HANDLE, 8192, 4096, 0), Readargs::decode, HANDLE_HEX + "00002000 00001000 00000000");
        assertPayloadWire(
                new Readres.NfsOk(new Readok(
                        new Fattr(
                                Ftype.NFREG,
                                0100644,
                                1,
                                1000,
                                100,
                                3,
                                4096,
                                0,
                                8,
                                0xfffffffeL,
                                77,
                                new Timeval(1, 2),
                                new Timeval(3, 4),
                                new Timeval(5, 6)),
                        payload("abc"))),
                Readres::decode,
                "00000000 00000001 000081a4 00000001 000003e8 00000064 00000003 00001000 00000000 00000008 fffffffe"
                        + "0000004d 00000001 00000002 00000003 00000004 00000005 00000006 00000003 61626300");
    }

    @Test
    void nfs2PlacesWhatReadReadlinkWriteAndSymlinkMove() {
        assertThat(encoded(new Writeargs(HANDLE, 0, 0, 0, payload("abc"))).marks())
                .hasSize(1);
        assertThat(Wire.sizes(Nfs2.READ, new Readargs(HANDLE, 0, 4096, 0))).containsExactly(4096L);
        assertThat(Wire.sizes(Nfs2.READLINK, HANDLE)).containsExactly(1024L);
        assertThat(Nfs2.SYMLINK.binding().argumentsEligible()).isTrue();
        assertThat(Nfs2.READDIR.binding().resultsEligible()).isFalse();
        assertThat(Nfs2.PROGRAM.rdmaPort()).hasValue(20049);
    }

    @Test
    void mount1GivesAHandleOrAnErrorNumber() throws Exception {
        assertWire(new Fhstatus.Case0(HANDLE), Fhstatus::decode, "00000000" + HANDLE_HEX);
        assertWire(new Fhstatus.Default(13), Fhstatus::decode, "0000000d");
    }

    @Test
    void nlm4LocksToTheEndOfAFile() throws Exception {
        assertWire(
                new Nlm4Lockargs(
                        bytes("0000000c"),
                        true,
                        false,
                        new Nlm4Lock(XdrString.of("client"), bytes("beef"), bytes("0a0b0c0d0e"), 42, 1L << 40, 0),
                        false,
                        3),
                Nlm4Lockargs::decode,
                "00000004 0000000c 00000001 00000000 00000006 636c69656e740000 00000002 beef0000"
                        + "00000005 0a0b0c0d0e000000 0000002a 0000010000000000 0000000000000000 00000000 00000003");
        assertThat(Nlm4.LOCK.binding().argumentsEligible()).isFalse();
    }

    @Test
    void aRestartedHostNotifies() throws Exception {
        assertWire(new StatChge(XdrString.of("host"), 5), StatChge::decode, "00000004 686f7374 00000005");
        assertThat(Nsm.NOTIFY.number()).isEqualTo(6);
    }
}
