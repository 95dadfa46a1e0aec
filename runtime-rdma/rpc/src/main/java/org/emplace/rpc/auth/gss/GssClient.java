// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth.gss;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.emplace.reactor.Timekeeper;
import org.emplace.reactor.Workers;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RegisteredBuffer.MemoryDomain;
import org.emplace.rpc.ResultPlaces;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcClient;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.RpcProgram;
import org.emplace.rpc.RpcService;
import org.emplace.rpc.auth.gss.wire.RpcGssProcT;

/**
 * A client whose calls are authenticated by RPCSEC_GSS with Kerberos 5 (RFC 2203). Pass it to generated clients in place of the one that it secures; the
 * {@link CallOptions#auth} of calls is not used. Safe for use by several threads.
 *
 * <p>The first call of a program establishes a security context, on a thread of its own, and others wait for it. If the server forgets the context, the
 * client makes another one and sends the calls that the server has rejected for it again. A call waits while its sequence number would be the size of
 * the server's window above that of a call without a reply, so one that takes very long holds up later ones: this server has a window of 4,096, Linux's
 * one of 128. The timeout of a call counts from its start, whatever it waits for.
 *
 * <p>By {@link GssService#INTEGRITY} and {@link GssService#PRIVACY}, the results that a call names destinations for are copied there.
 */
public final class GssClient implements RpcClient {
    private static final Duration DESTRUCTION = Duration.ofSeconds(5);

    private final RpcClient client;
    private final ContextCreation creation;
    private final GssService service;
    private final Timekeeper time = Timekeeper.system("emplace-gss-timer");
    private final Workers callbacks = Workers.daemons("emplace-gss-callback");
    private final Map<RpcProgram, CompletableFuture<ClientContext>> contexts = new ConcurrentHashMap<>();
    private volatile boolean isClosed;

    /**
     * @param client sends the calls; closed with this one
     * @param server the server's name as a service and a host, such as {@code nfs@server.example.org}
     * @param credentials who calls
     * @param service how bodies are protected
     */
    public GssClient(RpcClient client, String server, GssCredentials credentials, GssService service) {
        this.client = client;
        this.creation = new ContextCreation(client, server, credentials);
        this.service = service;
    }

    @Override
    public <A, R> RpcCall<R> call(
            Procedure<A, R> procedure, A arguments, Destinations destinations, CallOptions options) {
        ResultPlaces.requireSuitable(procedure.binding(), arguments, destinations);
        SecuredCall<A, R> call = new SecuredCall<>(this, procedure, arguments, destinations, options);
        if (isClosed) {
            call.fail(Kind.DISCONNECTED, "closed by this side");
        } else {
            call.send(true);
        }
        return call;
    }

    /** For the timeouts of calls that are not sent yet. */
    Timekeeper time() {
        return time;
    }

    /** The threads for what depends on these calls: a timer's does not run it. */
    Workers callbacks() {
        return callbacks;
    }

    RpcClient client() {
        return client;
    }

    GssService service() {
        return service;
    }

    /** The context for the calls of a program. */
    CompletionStage<ClientContext> context(RpcProgram program) {
        CompletableFuture<ClientContext> known = contexts.get(program);
        if (known != null) {
            return known;
        }
        CompletableFuture<ClientContext> created = new CompletableFuture<>();
        CompletableFuture<ClientContext> other = contexts.putIfAbsent(program, created);
        if (other != null) {
            return other;
        }
        CompletionStage<ClientContext> stage = created;
        stage.whenComplete((context, failure) -> {
            if (failure != null) {
                forget(program, created);
            }
        });
        try {
            Workers.daemon("emplace-gss", () -> creation.complete(program, created))
                    .start();
        } catch (RuntimeException | Error broken) {
            created.completeExceptionally(broken);
        }
        return created;
    }

    /** Has the next call make another context. */
    void forget(RpcProgram program, CompletionStage<ClientContext> context) {
        contexts.remove(program, context);
    }

    RpcException failure(Procedure<?, ?> procedure, Throwable failure) {
        Throwable cause = SecuredCall.cause(failure);
        Kind kind =
                cause instanceof RpcException known && !known.kind().mayHaveRun() ? known.kind() : Kind.AUTHENTICATION;
        return new RpcException(kind, procedure + ": no security context: " + cause.getMessage(), cause);
    }

    @Override
    public void serve(RpcService service) {
        client.serve(service);
    }

    @Override
    public MemoryDomain memory() {
        return client.memory();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return client.remoteAddress();
    }

    @Override
    public CompletionStage<Void> closed() {
        return client.closed();
    }

    /** Asks the server to forget the contexts, for five seconds at most, and then closes the client. Does not wait. Further calls fail. */
    @Override
    public void close() {
        isClosed = true;
        CompletionStage<Void> destroyed = CompletableFuture.allOf(contexts.entrySet().stream()
                .filter(each -> each.getValue().isDone() && !each.getValue().isCompletedExceptionally())
                .filter(each -> contexts.remove(each.getKey(), each.getValue()))
                .map(each -> destroy(each.getKey(), each.getValue().join()))
                .toArray(CompletableFuture<?>[]::new));
        destroyed.whenComplete((done, failure) -> client.close());
    }

    @SuppressWarnings("NullAway") // Void has no other value
    private CompletableFuture<Void> destroy(RpcProgram program, ClientContext context) {
        SecuredMessage message =
                new SecuredMessage(context, new ClientWindow.Place(), RpcGssProcT.RPCSEC_GSS_DESTROY, GssService.NONE);
        return client.call(
                        Procedure.ofNull(program),
                        null,
                        Destinations.none(),
                        CallOptions.DEFAULT.withAuth(message).withTimeout(DESTRUCTION))
                .completion()
                .toCompletableFuture();
    }
}
