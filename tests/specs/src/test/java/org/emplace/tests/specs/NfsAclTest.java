// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.specs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.tests.specs.Wire.assertWire;
import static org.emplace.tests.specs.Wire.bytes;

import java.net.URI;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.emplace.Rpc;
import org.emplace.RpcServer;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.ServerCall;
import org.emplace.tests.specs.nfs3.NfsFh3;
import org.emplace.tests.specs.nfs3.Nfsstat3;
import org.emplace.tests.specs.nfs_acl.Aclent;
import org.emplace.tests.specs.nfs_acl.Constants;
import org.emplace.tests.specs.nfs_acl.Getacl3Args;
import org.emplace.tests.specs.nfs_acl.Getacl3Res;
import org.emplace.tests.specs.nfs_acl.Getacl3Resfail;
import org.emplace.tests.specs.nfs_acl.Getacl3Resok;
import org.emplace.tests.specs.nfs_acl.NfsAcl3Client;
import org.emplace.tests.specs.nfs_acl.NfsAcl3Server;
import org.emplace.tests.specs.nfs_acl.Secattr;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** NFS_ACL uses the imported classes of NFS version 3. The bytes are derived by hand. */
class NfsAclTest {
    private static final NfsFh3 HANDLE = new NfsFh3(bytes("0102"));
    private static final Aclent OWNER =
            new Aclent(Constants.NA_USER_OBJ, 0, Constants.NA_READ + Constants.NA_WRITE + Constants.NA_EXEC);

    @Test
    void anAccessListIsOnTheWireAsLinuxHasIt() throws Exception {
        assertWire(
                new Getacl3Args(HANDLE, Constants.NA_ACL + Constants.NA_ACLCNT),
                Getacl3Args::decode,
                "00000002 01020000 00000003");
        assertWire(
                new Getacl3Res.Nfs3Ok(new Getacl3Resok(Optional.empty(), lists(List.of(OWNER)))),
                Getacl3Res::decode,
                "00000000 00000000 00000003 00000001 00000001 00000001 00000000 00000007 00000000 00000000");
        assertWire(
                new Getacl3Res.Default(Nfsstat3.NFS3ERR_STALE, new Getacl3Resfail(Optional.empty())),
                Getacl3Res::decode,
                "00000046 00000000");
    }

    /** The longest list does not fit in an inline reply. */
    @ParameterizedTest
    @ValueSource(strings = {"rdma", "tcp"})
    void listsOfAnyLengthComeThroughAConnection(String transport) throws Exception {
        List<Aclent> longest = Collections.nCopies(Constants.NFS_ACL_MAX_ENTRIES, OWNER);
        NfsAcl3Server files = new NfsAcl3Server() {
            @Override
            public Getacl3Res getacl(Getacl3Args args, ServerCall call) {
                return args.fh().equals(HANDLE)
                        ? new Getacl3Res.Nfs3Ok(new Getacl3Resok(Optional.empty(), lists(longest)))
                        : new Getacl3Res.Default(Nfsstat3.NFS3ERR_STALE, new Getacl3Resfail(Optional.empty()));
            }
        };
        try (RpcServer server = RpcServer.builder()
                        .service(NfsAcl3Server.service(files))
                        .listen(URI.create(transport + "://127.0.0.1:0"))
                        .start();
                RpcConnection connection = Rpc.connect(
                        URI.create(transport + "://127.0.0.1:"
                                + server.addresses().get(0).getPort()),
                        ConnectionOptions.DEFAULT)) {
            NfsAcl3Client client = NfsAcl3Client.on(connection);

            assertThat(client.getacl(new Getacl3Args(HANDLE, Constants.NA_ACL)))
                    .isEqualTo(new Getacl3Res.Nfs3Ok(new Getacl3Resok(Optional.empty(), lists(longest))));
            assertThat(client.getacl(new Getacl3Args(new NfsFh3(bytes("03")), Constants.NA_ACL)))
                    .isEqualTo(new Getacl3Res.Default(Nfsstat3.NFS3ERR_STALE, new Getacl3Resfail(Optional.empty())));
        }
    }

    private static Secattr lists(List<Aclent> access) {
        return new Secattr(Constants.NA_ACL + Constants.NA_ACLCNT, access.size(), access, 0, List.of());
    }
}
