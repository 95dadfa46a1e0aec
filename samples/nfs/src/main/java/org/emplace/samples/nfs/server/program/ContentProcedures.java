// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.protocol.Commit3Args;
import org.emplace.samples.nfs.protocol.Commit3Res;
import org.emplace.samples.nfs.protocol.Commit3Resfail;
import org.emplace.samples.nfs.protocol.Commit3Resok;
import org.emplace.samples.nfs.protocol.Read3Args;
import org.emplace.samples.nfs.protocol.Read3Res;
import org.emplace.samples.nfs.protocol.Read3Resfail;
import org.emplace.samples.nfs.protocol.Read3Resok;
import org.emplace.samples.nfs.protocol.StableHow;
import org.emplace.samples.nfs.protocol.Write3Args;
import org.emplace.samples.nfs.protocol.Write3Res;
import org.emplace.samples.nfs.protocol.Write3Resfail;
import org.emplace.samples.nfs.protocol.Write3Resok;
import org.emplace.samples.nfs.server.export.Contents;
import org.emplace.samples.nfs.server.export.Export;
import org.emplace.samples.nfs.server.export.ExportException;
import org.emplace.samples.nfs.server.export.Failure;
import org.emplace.samples.nfs.server.export.FileAttributes;
import org.emplace.samples.nfs.server.export.Stability;
import org.emplace.xdr.Payload;

/** READ, WRITE, COMMIT. */
final class ContentProcedures {
    /** The most bytes of one READ or WRITE. */
    static final int LARGEST_TRANSFER = 1 << 20;

    private final Export export;
    private final ToWire wire;

    ContentProcedures(Export export, ToWire wire) {
        this.export = export;
        this.wire = wire;
    }

    Read3Res read(Read3Args args, ServerCall call) {
        return Answer.of(
                "READ",
                () -> new Read3Res.Resok(readTo(args, call)),
                status -> new Read3Res.Resfail(status, new Read3Resfail(wire.attributesNow(args.file()))));
    }

    private Read3Resok readTo(Read3Args args, ServerCall call) throws IOException {
        if (args.offset() < 0) {
            throw new ExportException(Failure.INVAL, "a read beyond the largest offset");
        }
        try (Contents.Reading file = export.contents().read(FromWire.caller(call), FromWire.handle(args.file()))) {
            long left = Math.max(0, file.attributes().size() - args.offset());
            int wanted = (int) Math.min(Math.min(args.count(), LARGEST_TRANSFER), left);
            Payload data = wanted == 0
                    ? Payload.of(ByteBuffer.allocate(0))
                    : call.readFrom(file.channel(), args.offset(), wanted);
            FileAttributes now = file.attributes();
            boolean end = args.offset() + data.length() >= now.size();
            return new Read3Resok(Optional.of(wire.attributes(now)), data.length(), end, data);
        }
    }

    Write3Res write(Write3Args args, ServerCall call) {
        return Answer.of(
                "WRITE",
                () -> new Write3Res.Resok(writeFrom(args, call)),
                status -> new Write3Res.Resfail(status, new Write3Resfail(wire.unchanged(args.file()))));
    }

    private Write3Resok writeFrom(Write3Args args, ServerCall call) throws IOException {
        if (args.count() > args.data().length()) {
            throw new ExportException(
                    Failure.INVAL,
                    "a write of " + args.count() + " bytes with " + args.data().length() + " bytes of data");
        }
        ByteBuffer data = fetched(args.data()).slice(0, (int) args.count());
        Contents.Written written = export.contents()
                .write(
                        FromWire.caller(call),
                        FromWire.handle(args.file()),
                        args.offset(),
                        data,
                        stability(args.stable()));
        return new Write3Resok(
                wire.change(written.change()), written.count(), args.stable(), ToWire.verifier(written.verifier()));
    }

    /** Nothing is wrong with the file if its data could not be had from the client, so the client is to try again. */
    private static ByteBuffer fetched(Payload data) throws ExportException {
        try {
            return data.buffer();
        } catch (IOException e) {
            throw new ExportException(Failure.JUKEBOX, "the data of a write could not be fetched: " + e.getMessage());
        }
    }

    private static Stability stability(StableHow wanted) {
        return switch (wanted) {
            case UNSTABLE -> Stability.UNSTABLE;
            case DATA_SYNC -> Stability.DATA_SYNC;
            case FILE_SYNC -> Stability.FILE_SYNC;
        };
    }

    Commit3Res commit(Commit3Args args, ServerCall call) {
        return Answer.of(
                "COMMIT",
                () -> {
                    Contents.Committed committed =
                            export.contents().commit(FromWire.caller(call), FromWire.handle(args.file()));
                    return new Commit3Res.Resok(
                            new Commit3Resok(wire.change(committed.change()), ToWire.verifier(committed.verifier())));
                },
                status -> new Commit3Res.Resfail(status, new Commit3Resfail(wire.unchanged(args.file()))));
    }
}
