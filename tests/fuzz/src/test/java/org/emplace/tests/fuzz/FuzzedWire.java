// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.fuzz;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import java.nio.ByteBuffer;
import org.emplace.rdma.iwarp.framing.Wire;

/** A socket that brings the fuzzer's bytes, in pieces as the fuzzer likes, and then the end. Takes everything that is written. */
public final class FuzzedWire implements Wire {
    private final FuzzedDataProvider data;
    private boolean paused;

    /** @param data all of it may be used */
    public FuzzedWire(FuzzedDataProvider data) {
        this.data = data;
    }

    @Override
    public long read(ByteBuffer[] targets, int count) {
        if (data.remainingBytes() == 0) {
            return -1;
        }
        paused = !paused && data.consumeBoolean();
        if (paused) {
            return 0;
        }
        int length = data.consumeInt(1, 300);
        long taken = 0;
        for (int i = 0; i < count && length > 0; i++) {
            byte[] piece = data.consumeBytes(Math.min(length, targets[i].remaining()));
            targets[i].put(piece);
            taken += piece.length;
            length -= piece.length;
            if (targets[i].hasRemaining()) {
                break;
            }
        }
        return taken;
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int count) {
        long written = 0;
        for (int i = offset; i < offset + count; i++) {
            written += sources[i].remaining();
            sources[i].position(sources[i].limit());
        }
        return written;
    }
}
