// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.protocol.Commit3Args;
import org.emplace.samples.nfs.protocol.Commit3Res;
import org.emplace.samples.nfs.protocol.Commit3Resok;
import org.emplace.samples.nfs.protocol.Fattr3;
import org.emplace.samples.nfs.protocol.Ftype3;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.samples.nfs.protocol.Read3Args;
import org.emplace.samples.nfs.protocol.Read3Res;
import org.emplace.samples.nfs.protocol.Read3Resok;
import org.emplace.samples.nfs.protocol.StableHow;
import org.emplace.samples.nfs.protocol.WccData;
import org.emplace.samples.nfs.protocol.Write3Args;
import org.emplace.samples.nfs.protocol.Write3Res;
import org.emplace.samples.nfs.protocol.Write3Resfail;
import org.emplace.samples.nfs.protocol.Write3Resok;
import org.emplace.samples.nfs.protocol.Writeverf3;
import org.emplace.xdr.Payload;

/** Keeps one file in memory, and transfers a limited number of bytes per call. */
public class MemoryServer extends OneDirectoryServer {
    public static final WccData NO_WCC = new WccData(Optional.empty(), Optional.empty());

    public final byte[] contents;
    public final AtomicInteger boot = new AtomicInteger();
    public final AtomicInteger commits = new AtomicInteger();
    public final AtomicInteger stableWrites = new AtomicInteger();
    private final int most;

    public MemoryServer(byte[] contents, int most) {
        this.contents = contents;
        this.most = most;
    }

    /** A server whose disk is full. */
    public static MemoryServer full(int size) {
        return new MemoryServer(new byte[size], 64) {
            @Override
            public Write3Res write(Write3Args args, ServerCall call) {
                return new Write3Res.Default(Nfsstat3.NFS3ERR_NOSPC, new Write3Resfail(NO_WCC));
            }
        };
    }

    /** Pseudo-random bytes that depend only on the length. */
    public static byte[] randomBytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    @Override
    public Read3Res read(Read3Args args, ServerCall call) {
        int from = (int) Math.min(args.offset(), contents.length);
        int length = Math.min(most, (int) Math.min(args.count(), contents.length - from));
        ByteBuffer bytes = ByteBuffer.wrap(Arrays.copyOfRange(contents, from, from + length));
        boolean eof = from + length == contents.length;
        return new Read3Res.Nfs3Ok(new Read3Resok(Optional.empty(), length, eof, Payload.of(bytes)));
    }

    @Override
    public Write3Res write(Write3Args args, ServerCall call) throws IOException {
        int length = (int) Math.min(most, args.data().length());
        args.data().buffer().get(contents, (int) args.offset(), length);
        if (args.stable() != StableHow.UNSTABLE) {
            stableWrites.incrementAndGet();
        }
        return new Write3Res.Nfs3Ok(new Write3Resok(NO_WCC, length, args.stable(), verifier()));
    }

    @Override
    public Commit3Res commit(Commit3Args args, ServerCall call) {
        commits.incrementAndGet();
        return new Commit3Res.Nfs3Ok(new Commit3Resok(NO_WCC, verifier()));
    }

    private Writeverf3 verifier() {
        return Writeverf3.of(new byte[] {0, 0, 0, 0, 0, 0, 0, (byte) boot.get()});
    }

    @Override
    protected Fattr3 attributesOf(NfsFh3 file) {
        return file.equals(ROOT) ? attributes(Ftype3.NF3DIR, 0) : attributes(Ftype3.NF3REG, contents.length);
    }
}
