// SPDX-License-Identifier: Apache-2.0
package album;

import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Random;
import org.emplace.Rpc;
import org.emplace.RpcServer;
import org.emplace.rpc.*;
import org.emplace.rpc.CallObserver.CallReport;
import org.emplace.xdr.Payload;

public final class Main {
    public static void main(String[] args) throws Exception {
        URI address = URI.create("rdma://127.0.0.1"); // the port is that of the binding
        ConnectionOptions options = ConnectionOptions.DEFAULT.withObserver(Main::count);
        try (RpcServer server = RpcServer.builder()
                        .service(Album1Server.service(new Album()).fetching(Album1.KEEP))
                        .listen(address)
                        .start();
                RpcConnection connection = Rpc.client(address, options, Album1.PROGRAM)) {
            Album1Client album = Album1Client.on(connection);

            byte[] noise = new byte[1 << 20];
            new Random().nextBytes(noise);
            ByteBuffer picture = ByteBuffer.allocateDirect(noise.length).put(noise).flip();
            Caption title = Caption.of("Snow on television");
            album.keep(new Picture(title, Payload.of(picture)));

            // The server writes the pixels into this buffer, by RDMA Write.
            ByteBuffer received = ByteBuffer.allocateDirect(picture.capacity());
            Picture found = album.find(title, Destination.into(received)).orElseThrow();
            System.out.println(found.pixels().length() + " bytes, equal: " + received.equals(picture));
        }
    }

    /** The connection reports how the bytes of each call were moved. */
    private static void count(CallReport call) {
        System.out.printf(
                "%s: %d bytes by Read chunk, %d by Write chunk, %d copied%n",
                call.procedure().name(), call.readChunkBytes(), call.writeChunkBytes(), call.copiedBytes());
    }
}
