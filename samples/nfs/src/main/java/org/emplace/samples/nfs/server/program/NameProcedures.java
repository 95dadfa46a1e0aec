// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.protocol.Lookup3Args;
import org.emplace.samples.nfs.protocol.Lookup3Res;
import org.emplace.samples.nfs.protocol.Lookup3Resfail;
import org.emplace.samples.nfs.protocol.Lookup3Resok;
import org.emplace.samples.nfs.protocol.Readlink3Args;
import org.emplace.samples.nfs.protocol.Readlink3Res;
import org.emplace.samples.nfs.protocol.Readlink3Resfail;
import org.emplace.samples.nfs.protocol.Readlink3Resok;
import org.emplace.samples.nfs.protocol.Remove3Args;
import org.emplace.samples.nfs.protocol.Remove3Res;
import org.emplace.samples.nfs.protocol.Remove3Resfail;
import org.emplace.samples.nfs.protocol.Remove3Resok;
import org.emplace.samples.nfs.protocol.Rename3Args;
import org.emplace.samples.nfs.protocol.Rename3Res;
import org.emplace.samples.nfs.protocol.Rename3Resfail;
import org.emplace.samples.nfs.protocol.Rename3Resok;
import org.emplace.samples.nfs.protocol.Rmdir3Args;
import org.emplace.samples.nfs.protocol.Rmdir3Res;
import org.emplace.samples.nfs.protocol.Rmdir3Resfail;
import org.emplace.samples.nfs.protocol.Rmdir3Resok;
import org.emplace.samples.nfs.server.export.Export;
import org.emplace.samples.nfs.server.export.Namespace;
import org.emplace.samples.nfs.server.export.Node;
import org.emplace.samples.nfs.server.export.WeakCacheAttributes;
import org.emplace.samples.nfs.server.handle.FileHandle;
import org.emplace.xdr.Payload;

/** What finds, changes and takes away names: LOOKUP, READLINK, REMOVE, RMDIR, RENAME. */
final class NameProcedures {
    private final Export export;
    private final ToWire wire;

    NameProcedures(Export export, ToWire wire) {
        this.export = export;
        this.wire = wire;
    }

    Lookup3Res lookup(Lookup3Args args, ServerCall call) {
        return Answer.of(
                "LOOKUP",
                () -> {
                    FileHandle directory = FromWire.handle(args.what().dir());
                    Node node = export.namespace()
                            .lookup(
                                    FromWire.caller(call),
                                    directory,
                                    FromWire.name(args.what().name()));
                    return new Lookup3Res.Resok(new Lookup3Resok(
                            wire.handle(node),
                            wire.attributes(node),
                            wire.attributesNow(args.what().dir())));
                },
                status -> new Lookup3Res.Resfail(
                        status,
                        new Lookup3Resfail(wire.attributesNow(args.what().dir()))));
    }

    Readlink3Res readlink(Readlink3Args args) {
        return Answer.of(
                "READLINK",
                () -> {
                    byte[] content = export.namespace().readLink(FromWire.handle(args.symlink()));
                    return new Readlink3Res.Resok(new Readlink3Resok(
                            wire.attributesNow(args.symlink()), Payload.of(ByteBuffer.wrap(content))));
                },
                status -> new Readlink3Res.Resfail(status, new Readlink3Resfail(wire.attributesNow(args.symlink()))));
    }

    Remove3Res remove(Remove3Args args, ServerCall call) {
        return Answer.of(
                "REMOVE",
                () -> {
                    WeakCacheAttributes change = export.namespace()
                            .remove(
                                    FromWire.caller(call),
                                    FromWire.handle(args.object().dir()),
                                    FromWire.name(args.object().name()));
                    return new Remove3Res.Resok(new Remove3Resok(wire.change(change)));
                },
                status -> new Remove3Res.Resfail(
                        status, new Remove3Resfail(wire.unchanged(args.object().dir()))));
    }

    Rmdir3Res rmdir(Rmdir3Args args, ServerCall call) {
        return Answer.of(
                "RMDIR",
                () -> {
                    WeakCacheAttributes change = export.namespace()
                            .removeDirectory(
                                    FromWire.caller(call),
                                    FromWire.handle(args.object().dir()),
                                    FromWire.name(args.object().name()));
                    return new Rmdir3Res.Resok(new Rmdir3Resok(wire.change(change)));
                },
                status -> new Rmdir3Res.Resfail(
                        status, new Rmdir3Resfail(wire.unchanged(args.object().dir()))));
    }

    Rename3Res rename(Rename3Args args, ServerCall call) {
        return Answer.of(
                "RENAME",
                () -> new Rename3Res.Resok(renamed(args, call)),
                status -> new Rename3Res.Resfail(
                        status,
                        new Rename3Resfail(
                                wire.unchanged(args.from().dir()),
                                wire.unchanged(args.to().dir()))));
    }

    private Rename3Resok renamed(Rename3Args args, ServerCall call) throws IOException {
        Namespace.Renamed renamed = export.namespace()
                .rename(
                        FromWire.caller(call),
                        FromWire.handle(args.from().dir()),
                        FromWire.name(args.from().name()),
                        FromWire.handle(args.to().dir()),
                        FromWire.name(args.to().name()));
        return new Rename3Resok(wire.change(renamed.from()), wire.change(renamed.to()));
    }
}
