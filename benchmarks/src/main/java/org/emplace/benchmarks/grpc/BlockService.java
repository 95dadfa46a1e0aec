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

    /** Empty request, empty response. */
    static MethodDescriptor<Block, Block> nullMethod() {
        return method("Null", BlockMarshaller.FRESH, BlockMarshaller.FRESH);
    }

    /** As NULL, but answered only when the server releases such calls. */
    static MethodDescriptor<Block, Block> held() {
        return method("Held", BlockMarshaller.FRESH, BlockMarshaller.FRESH);
    }

    /** Request: a {@link Block#range}. Response: its bytes. */
    static MethodDescriptor<Block, Block> read(Marshaller<Block> response) {
        return method("Read", BlockMarshaller.FRESH, response);
    }

    /** Request: bytes. Response: empty. */
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
