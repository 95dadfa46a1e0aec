// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.grpc;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor.Marshaller;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.function.IntFunction;

/** Marshals blocks as their bytes, copied once between the block and gRPC's buffers. */
final class BlockMarshaller implements Marshaller<Block> {
    /** Allocates a new array for each message. */
    static final BlockMarshaller FRESH = new BlockMarshaller(length -> new Block(new byte[length], 0, length));

    private final IntFunction<Block> memory;

    /**
     * Creates a marshaller.
     *
     * @param memory returns room for a received message of the given length in bytes
     */
    BlockMarshaller(IntFunction<Block> memory) {
        this.memory = memory;
    }

    @Override
    public InputStream stream(Block value) {
        return new BlockStream(value);
    }

    /** Reads the message. gRPC's streams report how many of its bytes are left. */
    @Override
    public Block parse(InputStream stream) {
        try {
            Block block = memory.apply(stream.available());
            if (stream.readNBytes(block.memory(), block.offset(), block.length()) != block.length()) {
                throw new EOFException("a message is shorter than it said");
            }
            return block;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A block's bytes as a stream of known length that writes itself to gRPC's output, which saves a copy. */
    private static final class BlockStream extends ByteArrayInputStream implements Drainable, KnownLength {

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
}
