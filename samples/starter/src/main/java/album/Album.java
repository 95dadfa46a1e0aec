// SPDX-License-Identifier: Apache-2.0
package album;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.emplace.rpc.ServerCall;
import org.emplace.xdr.Payload;

final class Album implements Album1Server {
    private final Map<Caption, ByteBuffer> pictures = new ConcurrentHashMap<>();

    @Override
    public void keep(Picture picture, ServerCall call) throws Exception {
        ByteBuffer pixels = ByteBuffer.allocateDirect((int) picture.pixels().length());
        // The pixels are still in the caller's memory, because Main passes KEEP to fetchingByHand(). An RDMA Read gets them.
        picture.pixels().fetchInto(pixels).toCompletableFuture().get();
        pictures.put(picture.title(), pixels);
    }

    @Override
    public Optional<Picture> find(Caption title, ServerCall call) {
        return Optional.ofNullable(pictures.get(title)).map(pixels -> new Picture(title, Payload.of(pixels)));
    }
}
