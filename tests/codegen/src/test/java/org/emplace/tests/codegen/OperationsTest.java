// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.emplace.Rpc;
import org.emplace.RpcServer;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destination;
import org.emplace.rpc.OperationException;
import org.emplace.rpc.OperationResult;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.ServerCall;
import org.emplace.tests.codegen.album.Album2;
import org.emplace.tests.codegen.album.Album2Client;
import org.emplace.tests.codegen.album.Album2EditCall;
import org.emplace.tests.codegen.album.Album2EditOperations;
import org.emplace.tests.codegen.album.Album2Server;
import org.emplace.tests.codegen.album.AlbumStatus;
import org.emplace.tests.codegen.album.Entry;
import org.emplace.tests.codegen.album.FetchArgs;
import org.emplace.tests.codegen.album.FetchResult;
import org.emplace.tests.codegen.album.Fetched;
import org.emplace.tests.codegen.album.Listing;
import org.emplace.tests.codegen.album.MoveArgs;
import org.emplace.tests.codegen.album.Outcome;
import org.emplace.tests.codegen.album.Outcomes;
import org.emplace.tests.codegen.album.PrintArgs;
import org.emplace.tests.codegen.album.Step;
import org.emplace.tests.codegen.album.StepKind;
import org.emplace.tests.codegen.album.StoreArgs;
import org.emplace.tests.codegen.album.Stored;
import org.emplace.xdr.XdrString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls that are lists of operations, in a protocol other than NFS, over software iWARP. */
class OperationsTest {
    private static final XdrString TITLE = XdrString.of("holiday");

    private RpcServer server;
    private RpcConnection connection;
    private Album2Client client;

    @BeforeEach
    void connect() throws Exception {
        connect(new Album());
    }

    private void connect(Album album) throws Exception {
        server = RpcServer.builder()
                .service(Album2Server.service(Album2EditOperations.server(album)))
                .listen(URI.create("rdma://127.0.0.1:0"))
                .start();
        connection = Rpc.connect(
                URI.create("rdma://127.0.0.1:" + server.addresses().get(0).getPort()), ConnectionOptions.DEFAULT);
        client = Album2Client.on(connection);
    }

    @AfterEach
    void close() {
        connection.close();
        server.close();
    }

    private Album2EditCall edit() {
        return edit(client);
    }

    private static Album2EditCall edit(Album2Client client) {
        return client.edit(XdrString.of("me"), XdrString.of("quietly"));
    }

    @Test
    void everyKindOfResultComesFromTheHandleOfItsOperation() throws Exception {
        ByteBuffer thumbnail = ByteBuffer.allocateDirect(100);
        ByteBuffer pixels = ByteBuffer.allocateDirect(200);
        Album2EditCall call = edit();
        OperationResult<Void> open = call.open(XdrString.of("2026"));
        OperationResult<Stored> store = call.store(TITLE, Album.direct("bytes"));
        OperationResult<Listing> list = call.list();
        OperationResult<Fetched> fetch = call.fetch(0, 100, 200, Destination.into(thumbnail), Destination.into(pixels));
        OperationResult<Void> rotate = call.rotate(90, true);
        OperationResult<Void> start = call.start_();
        OperationResult<Long> count = call.count();
        OperationResult<XdrString> title = call.title();

        call.await();

        assertThat(open.get()).isNull();
        assertThat(store.get()).isEqualTo(new Stored(AlbumStatus.ALBUM_OK, 0));
        assertThat(list.get().entries()).containsExactly(new Entry(0, TITLE));
        assertThat(fetch.get().title()).isEqualTo(TITLE);
        assertThat(text(thumbnail, "small holiday")).isEqualTo("small holiday");
        assertThat(text(pixels, "large holiday")).isEqualTo("large holiday");
        assertThat(rotate.failure()).isEmpty();
        assertThat(start.failure()).isEmpty();
        assertThat(count.get()).isEqualTo(1);
        assertThat(title.get()).isEqualTo(XdrString.of("me: open 2026, store, fetch, rotate 90, start"));
    }

    @Test
    void aFailureEndsTheCallAndSaysWhatTheServerSaid() throws Exception {
        Album2EditCall call = edit();
        OperationResult<Long> before = call.count();
        OperationResult<Fetched> fetch = call.fetch(7, 100, 200, Destination.allocate(), Destination.allocate());
        OperationResult<Long> after = call.count();

        call.await();

        assertThat(before.get()).isZero();
        assertThatExceptionOfType(OperationException.Failed.class)
                .isThrownBy(fetch::get)
                .withMessage("DO_FETCH (operation 2 of ALBUM_EDIT) failed with ALBUM_NO_PICTURE")
                .satisfies(failure -> {
                    assertThat(failure.status()).isEqualTo(AlbumStatus.ALBUM_NO_PICTURE);
                    assertThat(failure.result())
                            .isEqualTo(new Outcome.Fetch(new FetchResult.Default(
                                    AlbumStatus.ALBUM_NO_PICTURE, XdrString.of("there are 0"))));
                });
        assertThatExceptionOfType(OperationException.NotReached.class).isThrownBy(after::get);
    }

    @Test
    void anOperationThatTheServerHasNoMethodForIsAnsweredOtherwise() throws Exception {
        Album2EditCall call = edit();
        OperationResult<Void> print = call.print(new PrintArgs(1, 2, 3, 4, true, true, TITLE));
        call.await();

        assertThatExceptionOfType(OperationException.Failed.class)
                .isThrownBy(print::get)
                .satisfies(
                        failure -> assertThat(failure.result()).isEqualTo(new Outcome.Unknown(AlbumStatus.ALBUM_WHAT)));
    }

    @Test
    void anOperationThatItsMethodDoesNotAnswerIsAnsweredOtherwise() throws Exception {
        Album2EditCall call = edit();
        OperationResult<Void> flip = call.flip(180, false);
        call.await();

        assertThatExceptionOfType(OperationException.Failed.class)
                .isThrownBy(flip::get)
                .satisfies(failure -> assertThat(failure.status()).isEqualTo(AlbumStatus.ALBUM_WHAT));
    }

    @Test
    void whatIsAnsweredOtherwiseIsNoSuccess() throws Exception {
        CompletableFuture<Exception> reported = new CompletableFuture<>();
        Album everything = new Album() {
            @Override
            public Outcome otherwise(Step operation, Session session) {
                return new Outcome.Title(TITLE);
            }

            @Override
            public Outcomes run(XdrString context, XdrString options, List<Step> steps, ServerCall call)
                    throws Exception {
                try {
                    return super.run(context, options, steps, call);
                } catch (IllegalStateException wrong) {
                    reported.complete(wrong);
                    throw wrong;
                }
            }
        };
        close();
        connect(everything);

        Album2EditCall call = edit();
        call.print(new PrintArgs(1, 2, 3, 4, true, true, TITLE));

        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(call::await)
                .satisfies(failure -> assertThat(failure.kind()).isEqualTo(RpcException.Kind.SYSTEM_ERROR));
        assertThat(reported.get(10, TimeUnit.SECONDS))
                .hasMessage("Album2EditOperations.otherwise answered PRINT with ALBUM_OK,"
                        + " but must answer with a status of failure");
    }

    @Test
    void aCallIsWhatThePlainClientWouldMake() throws Exception {
        RecordedCalls recorded = new RecordedCalls();
        Destination thumbnail = Destination.allocate();
        Destination pixels = Destination.into(ByteBuffer.allocate(7));

        Album2EditCall call = edit(Album2Client.on(recorded));
        call.list();
        call.fetch(3, 100, 200, thumbnail, pixels);
        call.flip(180, false);
        call.store(TITLE, Album.direct("bytes"));
        call.title();
        call.start();

        List<Step> steps = List.of(
                new Step.Default(StepKind.LIST),
                new Step.Fetch(new FetchArgs(3, 100, 200)),
                new Step.Rotate(StepKind.FLIP, new MoveArgs(180, false)),
                new Step.Store(new StoreArgs(TITLE, Album.direct("bytes"))),
                new Step.Default(StepKind.TITLE));
        Album2.EditArgs plain = new Album2.EditArgs(XdrString.of("me"), XdrString.of("quietly"), steps);
        RecordedCalls.Recorded made = recorded.last();
        Album2.EditArgs arguments = (Album2.EditArgs) made.arguments();
        assertThat(made.procedure()).isSameAs(Album2.EDIT);
        assertThat(Wire.hex(arguments)).isEqualTo(Wire.hex(plain));
        assertThat(Wire.sizes(Album2.EDIT, arguments)).containsExactly(8192L, 100L, 200L);
        assertThat(made.destinations().get(0, 1)).isSameAs(thumbnail);
        assertThat(made.destinations().get(1, 1)).isSameAs(pixels);
        assertThat(made.destinations().get(0, 0)).isNull();
        assertThat(made.destinations().get(1, 0)).isNull();
    }

    @Test
    void thePlainClientTakesTheDestinationsOfEachKindByElement() throws Exception {
        ByteBuffer thumbnail = ByteBuffer.allocateDirect(100);
        ByteBuffer pixels = ByteBuffer.allocateDirect(200);
        List<Step> steps = List.of(
                new Step.Store(new StoreArgs(TITLE, Album.direct("bytes"))),
                new Step.Default(StepKind.LIST),
                new Step.Fetch(new FetchArgs(0, 100, 200)));

        client.edit(
                XdrString.of("me"),
                XdrString.of("quietly"),
                steps,
                Album2.EditDestinations.anywhere()
                        .withThumbnail(Arrays.asList(null, null, Destination.into(thumbnail)))
                        .withPixels(Arrays.asList(null, null, Destination.into(pixels))));

        assertThat(text(thumbnail, "small holiday")).isEqualTo("small holiday");
        assertThat(text(pixels, "large holiday")).isEqualTo("large holiday");
    }

    private static String text(ByteBuffer buffer, String like) {
        byte[] bytes = new byte[like.length()];
        buffer.duplicate().rewind().get(bytes);
        return new String(bytes, StandardCharsets.US_ASCII);
    }
}
