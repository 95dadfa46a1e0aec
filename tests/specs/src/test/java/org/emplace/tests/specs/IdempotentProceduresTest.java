// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.specs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RpcService;
import org.emplace.rpc.RpcService.Handler;
import org.emplace.tests.specs.mount3.Mount3Server;
import org.emplace.tests.specs.nfs2.Nfs2Server;
import org.emplace.tests.specs.nfs3.Nfs3Server;
import org.emplace.tests.specs.nlm4.Nlm4Server;
import org.junit.jupiter.api.Test;

/** Which procedures are idempotent, so that servers do not keep their replies for duplicates. */
class IdempotentProceduresTest {

    @Test
    void inNfs3WhatChangesFilesNamesOrAttributesIsNotIdempotent() {
        assertThat(notIdempotent(Nfs3Server.service(new Nfs3Server() {})))
                .containsExactlyInAnyOrder(
                        "NFSPROC3_SETATTR",
                        "NFSPROC3_WRITE",
                        "NFSPROC3_CREATE",
                        "NFSPROC3_MKDIR",
                        "NFSPROC3_SYMLINK",
                        "NFSPROC3_MKNOD",
                        "NFSPROC3_REMOVE",
                        "NFSPROC3_RMDIR",
                        "NFSPROC3_RENAME",
                        "NFSPROC3_LINK");
    }

    @Test
    void inNfs2WhatChangesFilesNamesOrAttributesIsNotIdempotent() {
        assertThat(notIdempotent(Nfs2Server.service(new Nfs2Server() {})))
                .containsExactlyInAnyOrder(
                        "NFSPROC_SETATTR",
                        "NFSPROC_WRITE",
                        "NFSPROC_CREATE",
                        "NFSPROC_REMOVE",
                        "NFSPROC_RENAME",
                        "NFSPROC_LINK",
                        "NFSPROC_SYMLINK",
                        "NFSPROC_MKDIR",
                        "NFSPROC_RMDIR");
    }

    @Test
    void aVersionCanSayItOfAllItsProcedures() {
        assertThat(notIdempotent(Mount3Server.service(new Mount3Server() {}))).isEmpty();
    }

    @Test
    void theProcedureThatDoesNothingIsIdempotentWithoutAClause() {
        assertThat(notIdempotent(Nlm4Server.service(new Nlm4Server() {})))
                .contains("NLMPROC4_LOCK", "NLMPROC4_UNLOCK", "NLMPROC4_CANCEL", "NLMPROC4_GRANTED")
                .doesNotContain("NLMPROC4_NULL", "NLMPROC4_TEST");
    }

    @Test
    void compoundsAreIdempotentWhereSessionsTellDuplicates() {
        assertThat(org.emplace.tests.specs.nfs40.Nfs4.COMPOUND.binding().isIdempotent())
                .isFalse();
        assertThat(org.emplace.tests.specs.nfs41.Nfs4.COMPOUND.binding().isIdempotent())
                .isTrue();
        assertThat(org.emplace.tests.specs.nfs42.Nfs4.COMPOUND.binding().isIdempotent())
                .isTrue();
        assertThat(org.emplace.tests.specs.nfs42.Nfs4Callback.COMPOUND.binding().isIdempotent())
                .isTrue();
    }

    private static List<String> notIdempotent(RpcService service) {
        return service.handlers().values().stream()
                .<Procedure<?, ?>>map(Handler::procedure)
                .filter(procedure -> !procedure.binding().isIdempotent())
                .map(Procedure::name)
                .toList();
    }
}
