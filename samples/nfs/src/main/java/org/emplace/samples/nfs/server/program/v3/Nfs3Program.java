// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v3;

import org.emplace.samples.nfs.server.export.Exports;
import org.emplace.samples.nfs.server.program.CallFailures;
import org.emplace.samples.nfs.server.program.DelegationGuard;

/**
 * NFS version 3 (RFC 1813) of all exports. Safe for use by several threads.
 *
 * @param exports not closed by the program
 * @param failures receives the calls whose status is not NFS3_OK or MNT3_OK
 * @param guard recalls the delegations of clients of version 4
 */
public record Nfs3Program(Exports exports, CallFailures failures, DelegationGuard guard)
        implements AttributeProcedures,
                NameProcedures,
                CreationProcedures,
                ContentProcedures,
                DirectoryProcedures,
                FileSystemProcedures {}
