// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.grpc;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;

/** A block's bytes as a stream of known length that writes itself to gRPC's output, which saves a copy. */
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
