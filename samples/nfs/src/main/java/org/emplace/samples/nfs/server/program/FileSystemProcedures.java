// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program;

import org.emplace.samples.nfs.protocol.Constants;
import org.emplace.samples.nfs.protocol.Fsinfo3Args;
import org.emplace.samples.nfs.protocol.Fsinfo3Res;
import org.emplace.samples.nfs.protocol.Fsinfo3Resfail;
import org.emplace.samples.nfs.protocol.Fsinfo3Resok;
import org.emplace.samples.nfs.protocol.Fsstat3Args;
import org.emplace.samples.nfs.protocol.Fsstat3Res;
import org.emplace.samples.nfs.protocol.Fsstat3Resfail;
import org.emplace.samples.nfs.protocol.Fsstat3Resok;
import org.emplace.samples.nfs.protocol.Nfstime3;
import org.emplace.samples.nfs.protocol.Pathconf3Args;
import org.emplace.samples.nfs.protocol.Pathconf3Res;
import org.emplace.samples.nfs.protocol.Pathconf3Resfail;
import org.emplace.samples.nfs.protocol.Pathconf3Resok;
import org.emplace.samples.nfs.server.export.Export;
import org.emplace.samples.nfs.server.export.Node;

/** FSSTAT, FSINFO, PATHCONF. */
final class FileSystemProcedures {
    private static final int MULTIPLE = 4096;
    private static final int PREFERRED_LISTING = 64 << 10;
    private static final int MOST_LINKS = 32000;
    private static final int LONGEST_NAME = 255;

    private final Export export;
    private final ToWire wire;

    FileSystemProcedures(Export export, ToWire wire) {
        this.export = export;
        this.wire = wire;
    }

    /** Java does not tell how many files there is room for; 0 says that nobody counts. */
    Fsstat3Res fsstat(Fsstat3Args args) {
        return Answer.of(
                "FSSTAT",
                () -> {
                    Node node = export.attributes().get(FromWire.handle(args.fsroot()));
                    Export.Space space = export.space();
                    return new Fsstat3Res.Resok(new Fsstat3Resok(
                            wire.attributes(node), space.total(), space.free(), space.available(), 0, 0, 0, 0));
                },
                status -> new Fsstat3Res.Resfail(status, new Fsstat3Resfail(wire.attributesNow(args.fsroot()))));
    }

    Fsinfo3Res fsinfo(Fsinfo3Args args) {
        return Answer.of(
                "FSINFO",
                () -> {
                    Node node = export.attributes().get(FromWire.handle(args.fsroot()));
                    return new Fsinfo3Res.Resok(new Fsinfo3Resok(
                            wire.attributes(node),
                            ContentProcedures.LARGEST_TRANSFER,
                            ContentProcedures.LARGEST_TRANSFER,
                            MULTIPLE,
                            ContentProcedures.LARGEST_TRANSFER,
                            ContentProcedures.LARGEST_TRANSFER,
                            MULTIPLE,
                            PREFERRED_LISTING,
                            Long.MAX_VALUE,
                            new Nfstime3(0, 1),
                            Constants.FSF3_LINK
                                    | Constants.FSF3_SYMLINK
                                    | Constants.FSF3_HOMOGENEOUS
                                    | Constants.FSF3_CANSETTIME));
                },
                status -> new Fsinfo3Res.Resfail(status, new Fsinfo3Resfail(wire.attributesNow(args.fsroot()))));
    }

    Pathconf3Res pathconf(Pathconf3Args args) {
        return Answer.of(
                "PATHCONF",
                () -> {
                    Node node = export.attributes().get(FromWire.handle(args.object()));
                    return new Pathconf3Res.Resok(new Pathconf3Resok(
                            wire.attributes(node), MOST_LINKS, LONGEST_NAME, true, true, false, true));
                },
                status -> new Pathconf3Res.Resfail(status, new Pathconf3Resfail(wire.attributesNow(args.object()))));
    }
}
