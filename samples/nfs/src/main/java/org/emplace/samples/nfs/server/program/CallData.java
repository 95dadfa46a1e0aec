// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.emplace.rpc.ServerCall;
import org.emplace.rpc.auth.AuthSys;
import org.emplace.rpc.auth.gss.GssCaller;
import org.emplace.samples.nfs.security.SecurityFlavor;
import org.emplace.samples.nfs.server.export.Export.CallOrigin;
import org.emplace.samples.nfs.server.export.PrincipalMap;
import org.emplace.samples.nfs.server.store.Caller;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store.ReadableFile;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrString;

/** Who makes a call, and the bytes that calls of any version carry. */
public final class CallData {
    /** The most bytes of one READ or WRITE. */
    public static final int LARGEST_TRANSFER = 1 << 20;

    /** Linux allows no longer paths, and neither does any store. */
    private static final int LONGEST_TARGET = 4096;

    private CallData() {}

    /**
     * The source of a call.
     *
     * @param principals the users as whom callers by Kerberos act
     * @throws StoreException with JUKEBOX if the user is not known in time
     */
    public static CallOrigin origin(ServerCall call, PrincipalMap principals) throws StoreException {
        InetSocketAddress address = call.connection().remoteAddress();
        if (call.caller() instanceof GssCaller proved) {
            return new CallOrigin(
                    address, SecurityFlavor.of(proved.service()), proved.name(), principals.find(proved.name()));
        }
        return new CallOrigin(
                address,
                call.caller() instanceof AuthSys sys
                        ? Optional.of(new Caller(
                                sys.uid(),
                                sys.gid(),
                                sys.gids().stream().boxed().collect(Collectors.toUnmodifiableSet())))
                        : Optional.empty());
    }

    /**
     * A name, which is copied only if it is not too long.
     *
     * @param longest the most bytes of a name
     */
    public static FileName name(XdrString name, int longest) throws StoreException {
        requireFitting(name.length(), longest);
        return new FileName(name.bytes());
    }

    /** Like {@link #name(XdrString, int)}. */
    public static FileName name(XdrOpaque name, int longest) throws StoreException {
        requireFitting(name.length(), longest);
        return new FileName(name.bytes());
    }

    private static void requireFitting(int length, int longest) throws StoreException {
        if (length > longest) {
            throw new StoreException(Failure.NAMETOOLONG, "a file name of " + length + " bytes; at most " + longest);
        }
    }

    /**
     * Bytes of a file, in memory of the call's transport. If there is none, answers JUKEBOX: memory becomes free again, so the client should
     * retry.
     */
    public static Payload read(ReadableFile file, long offset, int most, ServerCall call) throws IOException {
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

    /** A copy of a symbolic link's target that stays valid after the call. It is fetched and copied only if it is not too long. */
    public static byte[] target(Payload payload) throws IOException {
        if (payload.length() > LONGEST_TARGET) {
            throw new StoreException(
                    Failure.NAMETOOLONG, "a target of " + payload.length() + " bytes; at most " + LONGEST_TARGET);
        }
        ByteBuffer buffer = new FetchedPayload(payload).buffer();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    /** Combines a device's two numbers as Linux does (gnu_dev_makedev of glibc). */
    public static long device(long major, long minor) {
        return (major & 0xfff) << 8 | (major & 0xfffff000L) << 32 | (minor & 0xff) | (minor & 0xffffff00L) << 12;
    }

    /**
     * A payload whose bytes may still be in the client's memory. If they cannot be fetched, the status is JUKEBOX, so that the client tries
     * again: no file is at fault.
     */
    public record FetchedPayload(Payload payload) implements Payload {
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
