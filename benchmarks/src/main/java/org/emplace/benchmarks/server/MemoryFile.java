// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.server;

import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.emplace.benchmarks.load.Load;
import org.emplace.benchmarks.nfs3.Getattr3Res;
import org.emplace.benchmarks.nfs3.Nfs3;
import org.emplace.benchmarks.nfs3.Nfsstat3;
import org.emplace.benchmarks.nfs3.Read3Args;
import org.emplace.benchmarks.nfs3.Read3Res;
import org.emplace.benchmarks.nfs3.Read3Resok;
import org.emplace.benchmarks.nfs3.StableHow;
import org.emplace.benchmarks.nfs3.WccData;
import org.emplace.benchmarks.nfs3.Write3Args;
import org.emplace.benchmarks.nfs3.Write3Res;
import org.emplace.benchmarks.nfs3.Write3Resok;
import org.emplace.benchmarks.nfs3.Writeverf3;
import org.emplace.rpc.RegisteredBuffer;
import org.emplace.rpc.RegisteredBuffer.MemoryDomain;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcService;
import org.emplace.rpc.ServerCall;
import org.emplace.xdr.Payload;

/**
 * An NFS version 3 service with a few procedures and one file in registered memory, so that no disk is measured. READ returns the file's bytes
 * without a copy, and WRITE fetches its data into the file. NULL is answered on the receiving thread, other procedures on the server's threads.
 * GETATTR represents a long call: it waits until such calls are released.
 */
final class MemoryFile {
    private static final WccData UNKNOWN = new WccData(Optional.empty(), Optional.empty());
    private static final Writeverf3 VERIFIER = Writeverf3.of(new byte[8]);

    private final CompletionStage<Void> released;

    /** The file's memory, registered once per transport. */
    private final Map<MemoryDomain, RegisteredBuffer> contents = new ConcurrentHashMap<>();

    MemoryFile(CompletionStage<Void> released) {
        this.released = released;
    }

    RpcService service() {
        return RpcService.builder(Nfs3.PROGRAM)
                .answerLater(Nfs3.GETATTR, (args, call) -> released.thenApply(MemoryFile::noAttributes))
                .answer(Nfs3.READ, this::read)
                .answerLater(Nfs3.WRITE, this::write)
                .build()
                .fetching(Nfs3.WRITE);
    }

    private static Getattr3Res noAttributes(Void released) {
        return new Getattr3Res.Default(Nfsstat3.NFS3ERR_NOTSUPP);
    }

    private Read3Res read(Read3Args args, ServerCall call) {
        int count = Math.toIntExact(args.count());
        Payload data = contents(call).payload(Math.toIntExact(args.offset()), count);
        return new Read3Res.Nfs3Ok(new Read3Resok(Optional.empty(), count, false, data));
    }

    private CompletionStage<Write3Res> write(Write3Args args, ServerCall call) {
        int count = Math.toIntExact(args.data().length());
        return contents(call)
                .fetch(args.data(), Math.toIntExact(args.offset()))
                .thenApply(done -> new Write3Res.Nfs3Ok(new Write3Resok(UNKNOWN, count, StableHow.UNSTABLE, VERIFIER)));
    }

    private RegisteredBuffer contents(ServerCall call) {
        return contents.computeIfAbsent(call.connection().memory(), MemoryFile::register);
    }

    private static RegisteredBuffer register(MemoryDomain memory) {
        try {
            return memory.register(ByteBuffer.allocateDirect(Load.MEMORY));
        } catch (RpcException e) {
            throw new UncheckedIOException(e);
        }
    }
}
