// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v3;

import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.protocol.Constants;
import org.emplace.samples.nfs.protocol.Fsinfo3Args;
import org.emplace.samples.nfs.protocol.Fsinfo3Res;
import org.emplace.samples.nfs.protocol.Fsinfo3Resfail;
import org.emplace.samples.nfs.protocol.Fsinfo3Resok;
import org.emplace.samples.nfs.protocol.Fsstat3Args;
import org.emplace.samples.nfs.protocol.Fsstat3Res;
import org.emplace.samples.nfs.protocol.Fsstat3Resfail;
import org.emplace.samples.nfs.protocol.Fsstat3Resok;
import org.emplace.samples.nfs.protocol.Nfs3Server;
import org.emplace.samples.nfs.protocol.Nfstime3;
import org.emplace.samples.nfs.protocol.Pathconf3Args;
import org.emplace.samples.nfs.protocol.Pathconf3Res;
import org.emplace.samples.nfs.protocol.Pathconf3Resfail;
import org.emplace.samples.nfs.protocol.Pathconf3Resok;
import org.emplace.samples.nfs.server.program.AddressedFile;
import org.emplace.samples.nfs.server.program.CallData;
import org.emplace.samples.nfs.server.store.Store.Limits;
import org.emplace.samples.nfs.server.store.Store.Space;

/** FSSTAT, FSINFO, PATHCONF. */
interface FileSystemProcedures extends Nfs3Server, Calls {
    int MULTIPLE = 4096;
    int PREFERRED_LISTING = 64 << 10;

    @Override
    default Fsstat3Res fsstat(Fsstat3Args args, ServerCall call) {
        return answer(
                "FSSTAT",
                () -> {
                    AddressedFile target = target(args.fsroot(), call);
                    Space space = target.store().space();
                    return new Fsstat3Res.Nfs3Ok(new Fsstat3Resok(
                            ToWire.attributesNow(target),
                            space.total(),
                            space.free(),
                            space.available(),
                            space.totalFiles(),
                            space.freeFiles(),
                            space.freeFiles(),
                            0));
                },
                status -> new Fsstat3Res.Default(status, new Fsstat3Resfail(attributesNow(args.fsroot(), call))));
    }

    @Override
    default Fsinfo3Res fsinfo(Fsinfo3Args args, ServerCall call) {
        return answer(
                "FSINFO",
                () -> {
                    AddressedFile target = targetToMount(args.fsroot(), call);
                    Limits limits = target.store().limits();
                    return new Fsinfo3Res.Nfs3Ok(new Fsinfo3Resok(
                            ToWire.attributesNow(target),
                            CallData.LARGEST_TRANSFER,
                            CallData.LARGEST_TRANSFER,
                            MULTIPLE,
                            CallData.LARGEST_TRANSFER,
                            CallData.LARGEST_TRANSFER,
                            MULTIPLE,
                            PREFERRED_LISTING,
                            limits.largestFile(),
                            new Nfstime3(0, 1),
                            properties(limits)));
                },
                status -> new Fsinfo3Res.Default(status, new Fsinfo3Resfail(attributesNow(args.fsroot(), call))));
    }

    private static long properties(Limits limits) {
        return Constants.FSF3_HOMOGENEOUS
                | (limits.hardLinks() ? Constants.FSF3_LINK : 0)
                | (limits.symbolicLinks() ? Constants.FSF3_SYMLINK : 0)
                | (limits.setsTimes() ? Constants.FSF3_CANSETTIME : 0);
    }

    @Override
    default Pathconf3Res pathconf(Pathconf3Args args, ServerCall call) {
        return answer(
                "PATHCONF",
                () -> {
                    AddressedFile target = target(args.object(), call);
                    Limits limits = target.store().limits();
                    return new Pathconf3Res.Nfs3Ok(new Pathconf3Resok(
                            ToWire.attributesNow(target),
                            limits.mostLinks(),
                            limits.longestName(),
                            true,
                            true,
                            false,
                            true));
                },
                status -> new Pathconf3Res.Default(status, new Pathconf3Resfail(attributesNow(args.object(), call))));
    }
}
