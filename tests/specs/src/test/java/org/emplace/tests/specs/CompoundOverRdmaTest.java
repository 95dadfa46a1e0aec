// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.specs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.emplace.rpc.CallObserver.CallReport;
import org.emplace.rpc.Destination;
import org.emplace.rpc.RpcService;
import org.emplace.rpc.ServerCall;
import org.emplace.tests.specs.nfs42.Compound4Args;
import org.emplace.tests.specs.nfs42.Compound4Res;
import org.emplace.tests.specs.nfs42.Nfs4;
import org.emplace.tests.specs.nfs42.Nfs4Client;
import org.emplace.tests.specs.nfs42.Nfs4Server;
import org.emplace.tests.specs.nfs42.NfsArgop4;
import org.emplace.tests.specs.nfs42.NfsResop4;
import org.emplace.tests.specs.nfs42.Nfsstat4;
import org.emplace.tests.specs.nfs42.Putrootfh4Res;
import org.emplace.tests.specs.nfs42.Read4Args;
import org.emplace.tests.specs.nfs42.Read4Res;
import org.emplace.tests.specs.nfs42.Read4Resok;
import org.emplace.tests.specs.nfs42.Readlink4Res;
import org.emplace.tests.specs.nfs42.Readlink4Resok;
import org.emplace.tests.specs.nfs42.Stateid4;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.Test;

/** The example of RFC 8267 section 6.4.3: a COMPOUND of READ, READLINK and READ, each with its own Write chunk. */
class CompoundOverRdmaTest extends OverRdma {
    private static final String FIRST = "what the first READ reads";
    private static final String LINK = "where/the/link/leads";
    private static final String SECOND = "the other";

    @Override
    RpcService service() {
        return Nfs4Server.service(new Nfs4Server() {
            @Override
            public Compound4Res compound(Compound4Args args, ServerCall call) {
                return answer(args);
            }
        });
    }

    @Test
    void eachResultIsPlacedInTheDestinationOfItsOperation() throws Exception {
        ByteBuffer a = ByteBuffer.allocateDirect(100);
        ByteBuffer b = ByteBuffer.allocateDirect(4096);
        ByteBuffer c = ByteBuffer.allocateDirect(100);

        Compound4Res results = Nfs4Client.on(connection)
                .compound(
                        compound(read(100), new NfsArgop4.Readlink(), new NfsArgop4.PutRootFh(), read(100)),
                        Nfs4.CompoundDestinations.anywhere()
                                .withData(Arrays.asList(null, Destination.into(a), null, null, Destination.into(c)))
                                .withLink(Arrays.asList(null, null, Destination.into(b), null, null)));

        assertThat(results.resarray()).hasSize(5);
        assertThat(start(a, FIRST)).isEqualTo(FIRST);
        assertThat(start(b, LINK)).isEqualTo(LINK);
        assertThat(start(c, SECOND)).isEqualTo(SECOND);
        CallReport report = reports.poll(10, TimeUnit.SECONDS);
        assertThat(report).isNotNull();
        assertThat(report.writeChunkBytes()).isEqualTo(FIRST.length() + LINK.length() + SECOND.length());
        assertThat(report.copies()).isZero();
    }

    @Test
    void aReadThatFailsEndsTheCompoundAndLeavesItsChunkEmpty() throws Exception {
        ByteBuffer a = ByteBuffer.allocateDirect(100);
        ByteBuffer b = ByteBuffer.allocateDirect(100);

        Compound4Res results = Nfs4Client.on(connection)
                .compound(
                        compound(read(100), read(0)),
                        Nfs4.CompoundDestinations.anywhere()
                                .withData(Arrays.asList(null, Destination.into(a), Destination.into(b))));

        assertThat(results.status()).isEqualTo(Nfsstat4.NFS4ERR_INVAL);
        assertThat(results.resarray().get(2))
                .isEqualTo(new NfsResop4.Read(new Read4Res.Default(Nfsstat4.NFS4ERR_INVAL)));
        assertThat(start(a, FIRST)).isEqualTo(FIRST);
    }

    private static Compound4Args compound(NfsArgop4... afterRoot) {
        List<NfsArgop4> operations = new ArrayList<>(List.of(new NfsArgop4.PutRootFh()));
        operations.addAll(List.of(afterRoot));
        return new Compound4Args(XdrOpaque.EMPTY, 2, operations);
    }

    private static NfsArgop4 read(long count) {
        return new NfsArgop4.Read(new Read4Args(new Stateid4(0, XdrOpaque.of(new byte[12])), 0, count));
    }

    private static Compound4Res answer(Compound4Args args) {
        List<NfsResop4> results = new ArrayList<>();
        for (NfsArgop4 operation : args.argarray()) {
            if (operation instanceof NfsArgop4.Read read) {
                if (read.opread().count() == 0) {
                    results.add(new NfsResop4.Read(new Read4Res.Default(Nfsstat4.NFS4ERR_INVAL)));
                    return new Compound4Res(Nfsstat4.NFS4ERR_INVAL, args.tag(), results);
                }
                String data = results.size() == 1 ? FIRST : SECOND;
                results.add(new NfsResop4.Read(new Read4Res.Nfs4Ok(new Read4Resok(true, direct(data)))));
            } else if (operation instanceof NfsArgop4.Readlink) {
                results.add(new NfsResop4.Readlink(new Readlink4Res.Nfs4Ok(new Readlink4Resok(direct(LINK)))));
            } else {
                results.add(new NfsResop4.PutRootFh(new Putrootfh4Res(Nfsstat4.NFS4_OK)));
            }
        }
        return new Compound4Res(Nfsstat4.NFS4_OK, args.tag(), results);
    }
}
