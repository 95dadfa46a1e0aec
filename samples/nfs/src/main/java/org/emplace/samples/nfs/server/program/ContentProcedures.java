// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.protocol.Commit3Args;
import org.emplace.samples.nfs.protocol.Commit3Res;
import org.emplace.samples.nfs.protocol.Commit3Resfail;
import org.emplace.samples.nfs.protocol.Commit3Resok;
import org.emplace.samples.nfs.protocol.Nfs3Server;
import org.emplace.samples.nfs.protocol.Read3Args;
import org.emplace.samples.nfs.protocol.Read3Res;
import org.emplace.samples.nfs.protocol.Read3Resfail;
import org.emplace.samples.nfs.protocol.Read3Resok;
import org.emplace.samples.nfs.protocol.StableHow;
import org.emplace.samples.nfs.protocol.Write3Args;
import org.emplace.samples.nfs.protocol.Write3Res;
import org.emplace.samples.nfs.protocol.Write3Resfail;
import org.emplace.samples.nfs.protocol.Write3Resok;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.Store.CommitResult;
import org.emplace.samples.nfs.server.store.Store.ReadableFile;
import org.emplace.samples.nfs.server.store.Store.Stability;
import org.emplace.samples.nfs.server.store.Store.WriteResult;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.xdr.Payload;

/** READ, WRITE, COMMIT. */
interface ContentProcedures extends Nfs3Server, Calls {
    /** The most bytes of one READ or WRITE. */
    int LARGEST_TRANSFER = 1 << 20;

    @Override
    default Read3Res read(Read3Args args, ServerCall call) {
        return answer(
                "READ",
                () -> new Read3Res.Nfs3Ok(readTo(args, call)),
                status -> new Read3Res.Default(status, new Read3Resfail(attributesNow(args.file(), call))));
    }

    private Read3Resok readTo(Read3Args args, ServerCall call) throws IOException {
        if (args.offset() < 0) {
            throw new StoreException(Failure.INVAL, "a read beyond the largest offset");
        }
        AddressedFile target = target(args.file(), call);
        try (ReadableFile file = target.store().read(target.caller(), target.id())) {
            int most = (int) Math.min(args.count(), LARGEST_TRANSFER);
            Payload data = data(file, args.offset(), most, call);
            FileAttributes now = file.attributes();
            // What is missing was not there when it was read. The file may have grown since.
            boolean end = data.length() < most || args.offset() + data.length() >= now.size();
            return new Read3Resok(Optional.of(target.attributes(now)), data.length(), end, data);
        }
    }

    /**
     * The bytes, in memory of the call's transport. If there is none, answers JUKEBOX: memory becomes free again, so the client should
     * retry.
     */
    private static Payload data(ReadableFile file, long offset, int most, ServerCall call) throws IOException {
        Optional<FileChannel> channel = file.channel();
        try {
            if (channel.isPresent()) {
                return call.readFrom(channel.get(), offset, most);
            }
            int wanted = (int) Math.max(0, Math.min(most, file.attributes().size() - offset));
            if (wanted == 0) {
                return Payload.of(ByteBuffer.allocate(0));
            }
            ByteBuffer buffer = call.buffer(wanted);
            file.read(buffer, offset);
            return Payload.of(buffer.flip());
        } catch (UncheckedIOException exhausted) {
            throw new StoreException(Failure.JUKEBOX, "no memory for a reply: " + exhausted.getMessage());
        }
    }

    @Override
    default Write3Res write(Write3Args args, ServerCall call) {
        return answer(
                "WRITE",
                () -> new Write3Res.Nfs3Ok(writeFrom(args, call)),
                status -> new Write3Res.Default(status, new Write3Resfail(unchanged(args.file(), call))));
    }

    private Write3Resok writeFrom(Write3Args args, ServerCall call) throws IOException {
        long length = args.data().length();
        if (args.count() > length) {
            throw new StoreException(
                    Failure.INVAL, "a write of " + args.count() + " bytes with " + length + " bytes of data");
        }
        if (args.offset() < 0 || args.offset() > Long.MAX_VALUE - args.count()) {
            throw new StoreException(Failure.FBIG, "a write beyond the largest offset");
        }
        AddressedFile file = target(args.file(), call).toChange();
        Payload data = new FetchedPayload(args.data());
        if (args.count() < length) {
            data = Payload.of(data.buffer().slice(0, (int) args.count()));
        }
        WriteResult written = file.store()
                .write(
                        file.caller(),
                        file.id(),
                        args.offset(),
                        data,
                        Stability.valueOf(args.stable().name()));
        return new Write3Resok(
                file.change(written.change()),
                written.count(),
                StableHow.valueOf(written.stability().name()),
                ToWire.writeVerifier(written.verifier()));
    }

    @Override
    default Commit3Res commit(Commit3Args args, ServerCall call) {
        return answer(
                "COMMIT",
                () -> {
                    AddressedFile file = target(args.file(), call).toChange();
                    CommitResult committed = file.store().commit(file.caller(), file.id());
                    return new Commit3Res.Nfs3Ok(new Commit3Resok(
                            file.change(committed.change()), ToWire.writeVerifier(committed.verifier())));
                },
                status -> new Commit3Res.Default(status, new Commit3Resfail(unchanged(args.file(), call))));
    }

    /**
     * A payload whose bytes may still be in the client's memory. If they cannot be fetched, the status is JUKEBOX, so that the client tries
     * again: no file is at fault.
     */
    record FetchedPayload(Payload payload) implements Payload {
        @Override
        public long length() {
            return payload.length();
        }

        @Override
        public ByteBuffer buffer() throws IOException {
            try {
                return payload.buffer();
            } catch (IOException e) {
                throw notFetched(e);
            }
        }

        @Override
        public CompletionStage<Void> fetchInto(ByteBuffer sink) {
            return payload.fetchInto(sink).exceptionally(e -> {
                throw new CompletionException(notFetched(e));
            });
        }

        private static StoreException notFetched(Throwable reason) {
            return new StoreException(
                    Failure.JUKEBOX, "the client's data could not be fetched: " + reason.getMessage());
        }
    }
}
