// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program;

import java.io.IOException;
import java.util.Optional;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.protocol.Create3Args;
import org.emplace.samples.nfs.protocol.Create3Res;
import org.emplace.samples.nfs.protocol.Create3Resfail;
import org.emplace.samples.nfs.protocol.Create3Resok;
import org.emplace.samples.nfs.protocol.Createhow3;
import org.emplace.samples.nfs.protocol.Createmode3;
import org.emplace.samples.nfs.protocol.Link3Args;
import org.emplace.samples.nfs.protocol.Link3Res;
import org.emplace.samples.nfs.protocol.Link3Resfail;
import org.emplace.samples.nfs.protocol.Link3Resok;
import org.emplace.samples.nfs.protocol.Mkdir3Args;
import org.emplace.samples.nfs.protocol.Mkdir3Res;
import org.emplace.samples.nfs.protocol.Mkdir3Resfail;
import org.emplace.samples.nfs.protocol.Mkdir3Resok;
import org.emplace.samples.nfs.protocol.Mknod3Args;
import org.emplace.samples.nfs.protocol.Mknod3Res;
import org.emplace.samples.nfs.protocol.Mknod3Resfail;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.samples.nfs.protocol.Symlink3Args;
import org.emplace.samples.nfs.protocol.Symlink3Res;
import org.emplace.samples.nfs.protocol.Symlink3Resfail;
import org.emplace.samples.nfs.protocol.Symlink3Resok;
import org.emplace.samples.nfs.server.export.AttributeChange;
import org.emplace.samples.nfs.server.export.Creation;
import org.emplace.samples.nfs.server.export.Export;
import org.emplace.samples.nfs.server.export.ExportException;
import org.emplace.samples.nfs.server.export.Made;

/** What makes new names: CREATE, MKDIR, SYMLINK, MKNOD, LINK. */
final class CreationProcedures {
    private final Export export;
    private final ToWire wire;

    CreationProcedures(Export export, ToWire wire) {
        this.export = export;
        this.wire = wire;
    }

    Create3Res create(Create3Args args, ServerCall call) {
        return Answer.of(
                "CREATE",
                () -> {
                    Made made = export.namespace()
                            .create(
                                    FromWire.caller(call),
                                    FromWire.handle(args.where().dir()),
                                    FromWire.name(args.where().name()),
                                    creation(args.how()));
                    return new Create3Res.Resok(new Create3Resok(
                            Optional.of(wire.handle(made.file())),
                            wire.attributes(made.file()),
                            wire.change(made.directory())));
                },
                status -> new Create3Res.Resfail(
                        status, new Create3Resfail(wire.unchanged(args.where().dir()))));
    }

    private static Creation creation(Createhow3 how) throws ExportException {
        if (how instanceof Createhow3.Verf exclusive) {
            return new Creation.Exclusive(FromWire.verifier(exclusive.verf()));
        }
        AttributeChange wanted = FromWire.change(((Createhow3.ObjAttributes) how).objAttributes());
        return how.mode() == Createmode3.GUARDED ? new Creation.Guarded(wanted) : new Creation.Unchecked(wanted);
    }

    Mkdir3Res mkdir(Mkdir3Args args, ServerCall call) {
        return Answer.of(
                "MKDIR",
                () -> {
                    Made made = export.namespace()
                            .makeDirectory(
                                    FromWire.caller(call),
                                    FromWire.handle(args.where().dir()),
                                    FromWire.name(args.where().name()),
                                    FromWire.change(args.attributes()));
                    return new Mkdir3Res.Resok(new Mkdir3Resok(
                            Optional.of(wire.handle(made.file())),
                            wire.attributes(made.file()),
                            wire.change(made.directory())));
                },
                status -> new Mkdir3Res.Resfail(
                        status, new Mkdir3Resfail(wire.unchanged(args.where().dir()))));
    }

    Symlink3Res symlink(Symlink3Args args, ServerCall call) {
        return Answer.of(
                "SYMLINK",
                () -> new Symlink3Res.Resok(linkTo(args, call)),
                status -> new Symlink3Res.Resfail(
                        status, new Symlink3Resfail(wire.unchanged(args.where().dir()))));
    }

    private Symlink3Resok linkTo(Symlink3Args args, ServerCall call) throws IOException {
        Made made = export.namespace()
                .makeSymbolicLink(
                        FromWire.caller(call),
                        FromWire.handle(args.where().dir()),
                        FromWire.name(args.where().name()),
                        FromWire.bytes(args.symlink().symlinkData()),
                        FromWire.change(args.symlink().symlinkAttributes()));
        return new Symlink3Resok(
                Optional.of(wire.handle(made.file())), wire.attributes(made.file()), wire.change(made.directory()));
    }

    /** Java cannot make devices, sockets and FIFOs. */
    Mknod3Res mknod(Mknod3Args args) {
        return new Mknod3Res.Resfail(
                Nfsstat3.NFS3ERR_NOTSUPP,
                new Mknod3Resfail(wire.unchanged(args.where().dir())));
    }

    Link3Res link(Link3Args args, ServerCall call) {
        return Answer.of(
                "LINK",
                () -> {
                    Made made = export.namespace()
                            .link(
                                    FromWire.caller(call),
                                    FromWire.handle(args.file()),
                                    FromWire.handle(args.link().dir()),
                                    FromWire.name(args.link().name()));
                    return new Link3Res.Resok(
                            new Link3Resok(wire.attributes(made.file()), wire.change(made.directory())));
                },
                status -> new Link3Res.Resfail(
                        status,
                        new Link3Resfail(
                                wire.attributesNow(args.file()),
                                wire.unchanged(args.link().dir()))));
    }
}
