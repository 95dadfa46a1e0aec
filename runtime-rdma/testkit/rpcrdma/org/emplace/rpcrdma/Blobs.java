// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.Destination;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.rpc.ProcedureBinding.Violation;
import org.emplace.rpc.ResultOrder;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcProgram;
import org.emplace.rpc.RpcService;
import org.emplace.rpc.RpcService.AsyncHandling;
import org.emplace.rpc.RpcService.Handler;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrCodec;
import org.emplace.xdr.XdrCodec.Writer;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrOpaque;

/**
 * A protocol as the compiler would generate it from
 *
 * <pre>
 * struct items { unsigned int tag; blob items&lt;&gt;; };      the bytes of each blob are eligible
 * unsigned int PUT(items) = 1;                       the bytes that came
 * items GET(sizes) = 2;                              items of the sizes asked for
 * items SWAP(items) = 3;                             the same items
 * opaque ECHO(opaque) = 4;                           nothing is eligible, no bound
 * </pre>
 */
public final class Blobs {
    static final RpcProgram PROGRAM = RpcProgram.of("BLOBS", 0x20000042, 1);

    private static final long NO_BOUND = 0xffffffffL;

    /** Some items, and a word that follows them in the message. */
    record Items(List<Payload> items, long tag) {

        static Items of(Payload... items) {
            return new Items(List.of(items), items.length);
        }

        private void encode(XdrEncoder out) {
            out.writeArray(items, XdrEncoder::writePayload);
            out.writeUnsignedInt(tag);
        }

        private static Items decode(XdrDecoder in) throws XdrException {
            return new Items(in.readArray(NO_BOUND, 4, from -> from.readPayload(NO_BOUND)), in.readUnsignedInt());
        }

        private List<Long> lengths() {
            return items.stream().map(Payload::length).toList();
        }
    }

    private static final XdrCodec<Items> ITEMS = new XdrCodec<>((out, items) -> items.encode(out), Items::decode);
    private static final XdrCodec<Long> LENGTH =
            new XdrCodec<>(XdrEncoder::writeUnsignedInt, XdrDecoder::readUnsignedInt);
    private static final XdrCodec<List<Long>> SIZES = new XdrCodec<>(
            (out, sizes) -> out.writeArray(sizes, XdrEncoder::writeUnsignedInt),
            in -> in.readArray(NO_BOUND, 4, XdrDecoder::readUnsignedInt));
    private static final XdrCodec<XdrOpaque> BYTES =
            new XdrCodec<>(XdrEncoder::writeOpaque, in -> in.readOpaque(NO_BOUND));

    static final Procedure<Items, Long> PUT = Procedure.of(
            PROGRAM,
            1,
            "PUT",
            ITEMS,
            LENGTH,
            ProcedureBinding.<Items, Long>idempotent(args -> 4).withReadChunks(8));

    static final Procedure<List<Long>, Items> GET = Procedure.of(
            PROGRAM,
            2,
            "GET",
            SIZES,
            ITEMS,
            ProcedureBinding.<List<Long>, Items>idempotent(sizes -> 8 + 4L * sizes.size())
                    .withWriteChunks(8, order(sizes -> sizes)));

    static final Procedure<Items, Items> SWAP = Procedure.of(
            PROGRAM,
            3,
            "SWAP",
            ITEMS,
            ITEMS,
            ProcedureBinding.<Items, Items>idempotent(
                            args -> 8 + 4L * args.items().size())
                    .withReadChunks(8)
                    .withWriteChunks(8, order(Items::lengths))
                    .withViolation(Violation.ERR_CHUNK));

    static final Procedure<XdrOpaque, XdrOpaque> ECHO = Procedure.of(
            PROGRAM, 4, "ECHO", BYTES, BYTES, ProcedureBinding.idempotent(args -> ProcedureBinding.UNBOUNDED));

    private Blobs() {}

    /** The items in order, with sizes from the arguments. */
    static <A> ResultOrder<A, Items> order(Function<A, List<Long>> sizes) {
        return ResultOrder.arrayBySize(
                args -> sizes.apply(args).size(),
                Items::items,
                ResultOrder.payload(0, "items[]", (args, i) -> sizes.apply(args).get(i), item -> item));
    }

    /** The destinations of the items. */
    static Destinations into(Destination... items) {
        return Destinations.ofElements(List.of(List.of(items)));
    }

    /** A service with the procedures above, some with other code. */
    static RpcService service(Handler<?, ?>... others) {
        RpcService usual = RpcService.builder(PROGRAM)
                .handle(PUT, (args, call) -> received(args))
                .handle(GET, (sizes, call) -> made(sizes))
                .handle(SWAP, (args, call) -> args)
                .handle(ECHO, (bytes, call) -> bytes)
                .build();
        Map<Long, Handler<?, ?>> handlers = new HashMap<>(usual.handlers());
        for (Handler<?, ?> other : others) {
            handlers.put(other.procedure().number(), other);
        }
        return new RpcService(PROGRAM, handlers);
    }

    static <A, R> Handler<A, R> handler(Procedure<A, R> procedure, AsyncHandling<A, R> body) {
        return new Handler<>(procedure, body);
    }

    /** Calls PUT, and returns the number of bytes that came. */
    static long put(RpcConnection connection, Payload... items) throws Exception {
        return connection
                .call(PUT, Items.of(items), Destinations.none(), CallOptions.DEFAULT)
                .await();
    }

    /** Calls GET without destinations. */
    static Items get(RpcConnection connection, Long... sizes) throws Exception {
        return connection
                .call(GET, List.of(sizes), Destinations.none(), CallOptions.DEFAULT)
                .await();
    }

    /** ECHO whose arguments are encoded in another way. */
    static Procedure<XdrOpaque, XdrOpaque> echoEncodedBy(Writer<XdrOpaque> writer) {
        XdrCodec<XdrOpaque> codec = new XdrCodec<>(writer, in -> XdrOpaque.EMPTY);
        return Procedure.of(PROGRAM, 4, "ECHO", codec, codec, ProcedureBinding.idempotent(args -> 100));
    }

    /** Direct memory with bytes that depend on their position. */
    public static ByteBuffer pattern(int length) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(length);
        for (int i = 0; i < length; i++) {
            bytes.put(i, (byte) (i * 31 + length));
        }
        return bytes;
    }

    /** A message of so many bytes and eligible items beside them. */
    public static EncodedMessage encoded(int rest, int... items) {
        XdrEncoder out = XdrEncoder.onHeap();
        for (int word = 0; word < rest / Integer.BYTES; word++) {
            out.writeInt(word);
        }
        for (int item : items) {
            out.writeFixedPayload(Payload.of(ByteBuffer.allocate(item)));
        }
        return out.finish();
    }

    /** Reads all items, and checks that they are the {@link #pattern} of their length. */
    private static long received(Items items) throws IOException {
        long total = 0;
        for (Payload item : items.items()) {
            if (!item.buffer().equals(pattern((int) item.length()))) {
                throw new IllegalArgumentException("other bytes than were sent");
            }
            total += item.length();
        }
        return total;
    }

    private static Items made(List<Long> sizes) {
        return Items.of(
                sizes.stream().map(size -> Payload.of(pattern(size.intValue()))).toArray(Payload[]::new));
    }
}
