// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.grpc;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;

/** The methods of the service. */
final class BlockService {
    static final String NAME = "emplace.Blocks";
    static final String NULL = NAME + "/Null";

    private BlockService() {}

    /** An empty message each way. */
    static MethodDescriptor<Block, Block> nullMethod() {
        return method("Null", BlockMarshaller.FRESH, BlockMarshaller.FRESH);
    }

    /** As NULL, but answered when the server's gate is opened. */
    static MethodDescriptor<Block, Block> held() {
        return method("Held", BlockMarshaller.FRESH, BlockMarshaller.FRESH);
    }

    /** A {@link Block#range} there, so many bytes back. */
    static MethodDescriptor<Block, Block> read(Marshaller<Block> response) {
        return method("Read", BlockMarshaller.FRESH, response);
    }

    /** Bytes there, an empty message back. */
    static MethodDescriptor<Block, Block> write(Marshaller<Block> request) {
        return method("Write", request, BlockMarshaller.FRESH);
    }

    private static MethodDescriptor<Block, Block> method(
            String name, Marshaller<Block> request, Marshaller<Block> response) {
        return MethodDescriptor.<Block, Block>newBuilder()
                .setType(MethodType.UNARY)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(NAME, name))
                .setRequestMarshaller(request)
                .setResponseMarshaller(response)
                .build();
    }
}
