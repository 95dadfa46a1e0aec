// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.specs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.tests.specs.Wire.assertWire;
import static org.emplace.tests.specs.Wire.bytes;

import org.emplace.tests.specs.config_rdma.ConfigRdma;
import org.emplace.tests.specs.config_rdma.ConfigRdmaReply;
import org.emplace.tests.specs.config_rdma.ConfigRdmaReq;
import org.emplace.tests.specs.rpcb.Rpcb;
import org.emplace.tests.specs.rpcb.Rpcb4;
import org.emplace.tests.specs.rpcsec_gss.RpcGssCredT;
import org.emplace.tests.specs.rpcsec_gss.RpcGssCredVers1T;
import org.emplace.tests.specs.rpcsec_gss.RpcGssInitRes;
import org.emplace.tests.specs.rpcsec_gss.RpcGssIntegData;
import org.emplace.tests.specs.rpcsec_gss.RpcGssProcT;
import org.emplace.tests.specs.rpcsec_gss.RpcGssServiceT;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrString;
import org.junit.jupiter.api.Test;

/** Protocols that carry, protect or prepare calls. The bytes are derived by hand from RFC 1833, RFC 2203 and RFC 5666. */
class TransportProtocolsTest {

    @Test
    void rpcsecGssCreatesAContextAndUsesIt() throws Exception {
        assertWire(
                new RpcGssCredT.RpcsecGssVers1(new RpcGssCredVers1T(
                        RpcGssProcT.RPCSEC_GSS_INIT, 0, RpcGssServiceT.rpc_gss_svc_none, XdrOpaque.EMPTY)),
                RpcGssCredT::decode,
                "00000001 00000001 00000000 00000001 00000000");
        assertWire(
                new RpcGssInitRes(bytes("01000000"), 0, 0, 128, bytes("6092")),
                RpcGssInitRes::decode,
                "00000004 01000000 00000000 00000000 00000080 00000002 60920000");
        assertWire(
                new RpcGssCredT.RpcsecGssVers1(new RpcGssCredVers1T(
                        RpcGssProcT.RPCSEC_GSS_DATA, 2, RpcGssServiceT.rpc_gss_svc_integrity, bytes("01000000"))),
                RpcGssCredT::decode,
                "00000001 00000000 00000002 00000002 00000004 01000000");
        assertWire(
                new RpcGssIntegData(bytes("00000002"), bytes("0404")),
                RpcGssIntegData::decode,
                "00000004 00000002 00000002 04040000");
    }

    @Test
    void limitsAreTold() throws Exception {
        assertWire(new ConfigRdmaReq(4096, 4096, 16), ConfigRdmaReq::decode, "00001000 00001000 00000010");
        assertWire(new ConfigRdmaReply(1024, 4, 8), ConfigRdmaReply::decode, "00000400 00000004 00000008");
        assertThat(ConfigRdma.PROGRAM.number()).isEqualTo(100417);
        assertThat(ConfigRdma.PROGRAM.version()).isEqualTo(1);
    }

    @Test
    void rpcbindIsAskedForAnAddress() throws Exception {
        assertWire(
                new Rpcb(100003, 3, XdrString.of("rdma"), XdrString.of(""), XdrString.of("")),
                Rpcb::decode,
                "000186a3 00000003 00000004 72646d61 00000000 00000000");
        assertThat(Rpcb4.GETADDR.number()).isEqualTo(3);
    }
}
