// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.grpc;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;

/** A block's bytes in the way that costs gRPC least: of a length known ahead, and written to it instead of read by it. */
final class BlockStream extends ByteArrayInputStream implements Drainable, KnownLength {

    BlockStream(Block block) {
        super(block.memory(), block.offset(), block.length());
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
        int length = available();
        target.write(buf, pos, length);
        pos += length;
        return length;
    }
}
