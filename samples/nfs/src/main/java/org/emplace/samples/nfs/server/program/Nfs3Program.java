// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program;

import java.util.function.Consumer;
import org.emplace.samples.nfs.server.export.Exports;

/**
 * NFS version 3 (RFC 1813) of all exports. Safe for use by several threads.
 *
 * @param exports not closed by the program
 * @param failed receives the procedure, such as {@code READ}, of each call whose status is not NFS3_OK or MNT3_OK
 * @param faults logs calls that fail because of the server
 */
public record Nfs3Program(Exports exports, Consumer<String> failed, FaultLog faults)
        implements AttributeProcedures,
                NameProcedures,
                CreationProcedures,
                ContentProcedures,
                DirectoryProcedures,
                FileSystemProcedures {
    /** A program with a log of its own. */
    public Nfs3Program(Exports exports, Consumer<String> failed) {
        this(exports, failed, new FaultLog(System.getLogger(FaultLog.class.getName())));
    }
}
