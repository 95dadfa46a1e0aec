// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program;

import java.util.function.Consumer;
import org.emplace.samples.nfs.server.export.Exports;

/** NFS version 3 (RFC 1813) of all exports. Safe for use by several threads. */
public final class Nfs3Program
        implements AttributeProcedures,
                NameProcedures,
                CreationProcedures,
                ContentProcedures,
                DirectoryProcedures,
                FileSystemProcedures {
    private final Exports exports;
    private final FaultLog faults = new FaultLog(System.getLogger(Nfs3Program.class.getName()));
    private final Consumer<String> failed;

    /**
     * A program that serves exports.
     *
     * @param exports not closed by the program
     * @param failed receives the procedure, such as {@code READ}, of each call whose status is not NFS3_OK
     */
    public Nfs3Program(Exports exports, Consumer<String> failed) {
        this.exports = exports;
        this.failed = failed;
    }

    @Override
    public Exports exports() {
        return exports;
    }

    @Override
    public FaultLog faults() {
        return faults;
    }

    @Override
    public Consumer<String> failed() {
        return failed;
    }
}
