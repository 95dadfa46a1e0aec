// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.status;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.emplace.rpc.ServerLoad;
import org.emplace.samples.nfs.server.status.ServerStatistics.Totals;
import org.emplace.samples.nfs.server.status.StatusHistory.ServerSample;
import org.emplace.samples.nfs.server.status.StatusHistory.ServerSample.Rate;

/**
 * Serves a page with a server's statistics, the same as JSON and for Prometheus, and whether the server runs, by HTTP on loopback until it is closed. It
 * answers only GET, and only if the
 * request's Host is this machine's loopback. So a page of another site, whose name an attacker has resolved to 127.0.0.1, cannot read it.
 */
public final class StatusServer implements AutoCloseable {
    private static final Set<String> HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final byte[] LOOPBACK = {127, 0, 0, 1};

    /** The number of threads that answer requests. */
    private static final int THREADS = 2;

    /**
     * What users of this machine can make the JDK's server hold. It reads these properties when its first class is loaded, and otherwise has no limit on
     * connections and on the seconds that a request or an answer may take.
     */
    private static final Map<String, Integer> LIMITS = Map.of(
            "jdk.httpserver.maxConnections", 32,
            "sun.net.httpserver.maxReqTime", 5,
            "sun.net.httpserver.maxRspTime", 10,
            "sun.net.httpserver.idleInterval", 10,
            "sun.net.httpserver.maxIdleConnections", 8);

    private static final String STYLE = style();

    private final HttpServer http;
    private final ExecutorService answers = Executors.newFixedThreadPool(THREADS, StatusServer::thread);
    /** Separate, so that slow clients do not delay samples. */
    private final ScheduledExecutorService sampler = Executors.newSingleThreadScheduledExecutor(StatusServer::thread);

    private final StatusHistory history;
    private final StatusPage page = new StatusPage(STYLE);
    private final String policy = "default-src 'none'; style-src '" + hash(STYLE)
            + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    private final Instant started = Instant.now();

    private StatusServer(HttpServer http, ServerStatistics statistics, Supplier<ServerLoad> load) {
        this.http = http;
        this.history = new StatusHistory(statistics, load, started);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "nfs-server-status");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Starts to serve, and to take samples. Sets the system properties that limit the JDK's HTTP server, unless they are set.
     *
     * @param port on loopback; 0 takes a free one
     * @throws IOException if the port is not available
     */
    public static StatusServer start(int port, ServerStatistics statistics, Supplier<ServerLoad> load)
            throws IOException {
        LIMITS.forEach((property, limit) -> System.getProperties().putIfAbsent(property, String.valueOf(limit)));
        InetSocketAddress address = new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port);
        StatusServer server = new StatusServer(HttpServer.create(address, 0), statistics, load);
        server.start();
        return server;
    }

    private void start() {
        long interval = StatusHistory.INTERVAL.toMillis();
        Future<?> unused = sampler.scheduleAtFixedRate(
                () -> history.sample(Instant.now()), interval, interval, TimeUnit.MILLISECONDS);
        http.setExecutor(answers);
        http.createContext("/", this::answer);
        http.start();
    }

    /** The address of the page. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/");
    }

    /** Closes the server. Requests in progress are aborted. */
    @Override
    public void close() {
        http.stop(0);
        answers.shutdownNow();
        sampler.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!isForLoopback(exchange.getRequestHeaders())) {
                send(
                        exchange,
                        403,
                        "text/plain",
                        "The status is available to this machine only: use the host name localhost.\n");
            } else if (!exchange.getRequestMethod().equals("GET")) {
                exchange.getResponseHeaders().set("Allow", "GET");
                send(exchange, 405, "text/plain", "Only GET is supported.\n");
            } else if (exchange.getRequestURI().getPath().equals("/")) {
                send(exchange, 200, "text/html", page.html(history, started, Instant.now()));
            } else if (exchange.getRequestURI().getPath().equals("/status.json")) {
                send(exchange, 200, "application/json", StatusJson.of(history, started, Instant.now()));
            } else if (exchange.getRequestURI().getPath().equals("/metrics")) {
                send(exchange, 200, Metrics.TYPE, Metrics.of(history.load(), history.totals()));
            } else if (exchange.getRequestURI().getPath().equals("/health")) {
                send(exchange, 200, "text/plain", "ok\n");
            } else {
                send(exchange, 404, "text/plain", "Not found. Available: /, /status.json, /metrics and /health.\n");
            }
        }
    }

    /** Whether the host is loopback. Ignores the port, which differs if the connection is forwarded, as by ssh -L. */
    private static boolean isForLoopback(Headers headers) {
        String host = headers.getFirst("Host");
        return host != null && HOSTS.contains(host.replaceFirst(":[0-9]+$", "").toLowerCase(Locale.ROOT));
    }

    private void send(HttpExchange exchange, int status, String type, String body) throws IOException {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", type + "; charset=utf-8");
        headers.set("Content-Security-Policy", policy);
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cache-Control", "no-store");
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(status, -1);
            return;
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static String style() {
        try (InputStream style = StatusServer.class.getResourceAsStream("status.css")) {
            if (style == null) {
                throw new IllegalStateException("status.css is not beside its class");
            }
            return new String(style.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new IllegalStateException("status.css cannot be read", unreadable);
        }
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }

    /** Writes a server's statistics as JSON. Names of procedures need no escapes. */
    private static final class StatusJson {
        private StatusJson() {}

        static String of(StatusHistory history, Instant started, Instant now) {
            return "{\"started\":\"" + started + "\",\"now\":\"" + now + "\",\"load\":" + load(history.load())
                    + ",\"procedures\":" + object(history.totals(), StatusJson::totals)
                    + ",\"samples\":["
                    + history.samples().stream().map(StatusJson::sample).collect(Collectors.joining(",\n")) + "]}\n";
        }

        private static String sample(ServerSample sample) {
            return "{\"end\":\"" + sample.end() + "\",\"load\":" + load(sample.load()) + ",\"procedures\":"
                    + object(sample.rates(), StatusJson::rate) + "}";
        }

        private static String load(ServerLoad load) {
            return String.format(
                    Locale.ROOT,
                    "{\"connections\":%d,\"connectionsRejected\":%d,\"callsRunning\":%d,\"callsWaiting\":%d,"
                            + "\"longestWaitSeconds\":%.3f,\"repliesKept\":%d,\"replyBytesKept\":%d}",
                    load.connections(),
                    load.connectionsRejected(),
                    load.callsRunning(),
                    load.callsWaiting(),
                    load.longestWait().toNanos() / 1e9,
                    load.repliesKept(),
                    load.replyBytesKept());
        }

        private static String totals(Totals totals) {
            return String.format(
                    Locale.ROOT,
                    "{\"calls\":%d,\"errors\":%d,\"notOk\":%d,\"bytesReceived\":%d,\"bytesSent\":%d,\"meanSeconds\":%.9f,"
                            + "\"p50Seconds\":%.9f,\"p99Seconds\":%.9f,\"maxSeconds\":%.9f}",
                    totals.calls(),
                    totals.errors(),
                    totals.failed(),
                    totals.bytesReceived(),
                    totals.bytesSent(),
                    totals.mean(),
                    totals.median(),
                    totals.percentile99(),
                    totals.longest());
        }

        private static String rate(Rate rate) {
            return String.format(
                    Locale.ROOT,
                    "{\"callsPerSecond\":%.3f,\"bytesPerSecond\":%.1f,\"p99Seconds\":%.9f}",
                    rate.calls(),
                    rate.bytes(),
                    rate.slowest());
        }

        private static <T> String object(Map<String, T> values, Function<T, String> json) {
            return values.entrySet().stream()
                    .map(entry -> "\"" + entry.getKey() + "\":" + json.apply(entry.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
    }
}
