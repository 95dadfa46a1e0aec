// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.emplace.benchmarks.nfs3.Nfs3;
import org.emplace.benchmarks.nfs3.Read3Args;
import org.emplace.benchmarks.nfs3.Read3Res;
import org.emplace.benchmarks.nfs3.Read3Resok;
import org.emplace.benchmarks.nfs3.StableHow;
import org.emplace.benchmarks.nfs3.WccData;
import org.emplace.benchmarks.nfs3.Write3Args;
import org.emplace.benchmarks.nfs3.Write3Res;
import org.emplace.benchmarks.nfs3.Write3Resok;
import org.emplace.rpc.MemoryDomain;
import org.emplace.rpc.RegisteredBuffer;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcService;
import org.emplace.rpc.ServerCall;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrOpaque;

/**
 * An NFS version 3 service of three procedures and one file in memory, so that no disk is measured: READ gives the file's bytes from
 * registered memory, WRITE fetches its data and forgets it. NULL and READ never block, so they are answered at once.
 */
final class MemoryFile {
    private static final int SIZE = 1 << 20;
    private static final WccData UNKNOWN = new WccData(Optional.empty(), Optional.empty());
    private static final XdrOpaque VERIFIER = XdrOpaque.of(new byte[8]);

    /** The file's bytes, registered once for each transport. */
    private final Map<MemoryDomain, RegisteredBuffer> contents = new ConcurrentHashMap<>();

    @SuppressWarnings("NullAway") // the results of NULL, which has none
    RpcService service() {
        return RpcService.builder("NFS_PROGRAM version 3", Nfs3.PROGRAM, Nfs3.VERSION)
                .answer(Nfs3.NULL, (nothing, call) -> null)
                .answer(Nfs3.READ, this::read)
                .answer(Nfs3.WRITE, this::write)
                .build()
                .answeringAtOnce(Nfs3.NULL, Nfs3.READ);
    }

    private Read3Res read(Read3Args args, ServerCall call) throws RpcException {
        int count = (int) Math.min(args.count(), SIZE);
        Payload data = contents(call.connection().memory()).payload(0, count);
        return new Read3Res.Resok(new Read3Resok(Optional.empty(), count, false, data));
    }

    private Write3Res write(Write3Args args, ServerCall call) throws IOException {
        int count = args.data().buffer().remaining();
        return new Write3Res.Resok(new Write3Resok(UNKNOWN, count, StableHow.UNSTABLE, VERIFIER));
    }

    private RegisteredBuffer contents(MemoryDomain memory) throws RpcException {
        RegisteredBuffer known = contents.get(memory);
        if (known == null) {
            known = memory.register(ByteBuffer.allocateDirect(SIZE));
            contents.put(memory, known);
        }
        return known;
    }
}
