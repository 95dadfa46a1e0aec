// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.emplace.rpc.ServerLoad;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The answers of the status port, and who gets them. */
@Timeout(60)
final class StatusServerTest {
    private final ServerStatistics statistics = new ServerStatistics();

    @AutoClose
    private final StatusServer server = StatusServer.start(
            0,
            statistics,
            () -> ServerLoad.NONE
                    .withConnections(3, 1)
                    .withCalls(2, 4, Duration.ofMillis(2500))
                    .withReplies(5, 600));

    StatusServerTest() throws IOException {}

    @Test
    void thePageNeedsNothingFromElsewhereAndForbidsIt() throws Exception {
        statistics.answered(Answers.of("NFSPROC3_READ", 100, 5000));
        HttpResponse<String> page = get("");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .startsWith("default-src 'none'; style-src 'sha256-")
                .contains("frame-ancestors 'none'");
        assertThat(page.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(page.body())
                .contains("<b>3</b><span>connections</span>", "<td>READ</td>")
                .doesNotContain("<script", "http://", "https://", "src=", "@import", "url(");
    }

    @Test
    void programsGetJson() throws Exception {
        statistics.answered(Answers.of("NFSPROC3_READ", 100, 5000));
        statistics.failed("READ");
        HttpResponse<String> json = get("status.json");
        assertThat(json.headers().firstValue("Content-Type")).contains("application/json; charset=utf-8");
        assertThat(json.body())
                .contains(
                        "\"load\":{\"connections\":3,\"connectionsRejected\":1,\"callsRunning\":2,\"callsWaiting\":4,\"longestWaitSeconds\":2.500,")
                .contains("\"READ\":{\"calls\":1,\"errors\":0,\"notOk\":1,\"bytesReceived\":100,\"bytesSent\":5000,");
    }

    @Test
    void prometheusGetsMetrics() throws Exception {
        statistics.answered(Answers.of("NFSPROC3_READ", 100, 5000));
        HttpResponse<String> metrics = get("metrics");
        assertThat(metrics.headers().firstValue("Content-Type")).contains("text/plain; version=0.0.4; charset=utf-8");
        assertThat(metrics.body().lines())
                .contains(
                        "# TYPE emplace_nfs_connections gauge",
                        "emplace_nfs_connections 3.0",
                        "emplace_nfs_connections_rejected_total 1.0",
                        "emplace_nfs_longest_wait_seconds 2.5",
                        "# TYPE emplace_nfs_call_seconds summary",
                        "emplace_nfs_call_seconds_count{procedure=\"READ\"} 1",
                        "emplace_nfs_sent_bytes_total{procedure=\"READ\"} 5000.0");
        assertThat(get("health").body()).isEqualTo("ok\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST:9", "127.0.0.1:1", "[::1]:1", "[::1]"})
    void loopbacksNamesAreAnswered(String host) throws Exception {
        assertThat(statusLine("GET / HTTP/1.1", "Host: " + host)).isEqualTo("HTTP/1.1 200 OK");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "attacker.example",
                "attacker.example:80",
                "127.0.0.1.attacker.example",
                "localhost.",
                "",
                "127.0.0.1@attacker.example"
            })
    void otherNamesAreRefused(String host) throws Exception {
        assertThat(statusLine("GET /status.json HTTP/1.1", "Host: " + host)).startsWith("HTTP/1.1 403 ");
    }

    @Test
    void aRequestWithoutAHostIsRefused() throws Exception {
        assertThat(statusLine("GET / HTTP/1.0", "Accept: */*")).contains(" 403 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS", "HEAD"})
    void onlyGetIsAnswered(String method) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(server.address())
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        HttpResponse<String> refused = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(refused.statusCode()).isEqualTo(405);
        assertThat(refused.headers().firstValue("Allow")).contains("GET");
    }

    @ParameterizedTest
    @ValueSource(strings = {"etc/passwd", "../", "status.json/", "%2e%2e/", "index.html"})
    void nothingElseIsThere(String path) throws Exception {
        assertThat(get(path).statusCode()).isEqualTo(404);
    }

    @Test
    void itListensOnLoopbackOnly() {
        assertThat(server.address().getHost()).isEqualTo("127.0.0.1");
    }

    @Test
    void aClosedServerDoesNotListen() {
        URI address = server.address();
        server.close();
        assertThat(catchThrowable(() -> new Socket(InetAddress.getLoopbackAddress(), address.getPort()).close()))
                .isInstanceOf(IOException.class);
    }

    /** Users of this machine could otherwise use up the file descriptors of the server. */
    @Test
    void silentConnectionsAreFew() throws Exception {
        List<Socket> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 100; i++) {
                silent.add(new Socket(
                        InetAddress.getLoopbackAddress(), server.address().getPort()));
            }
            Awaitility.await()
                    .until(() ->
                            silent.stream().filter(StatusServerTest::isClosed).count() >= 60);
        } finally {
            for (Socket each : silent) {
                each.close();
            }
        }
        Awaitility.await().ignoreExceptions().until(() -> get("").statusCode() == 200);
    }

    /** Whether the server has closed a connection. Waits a moment for it. */
    private static boolean isClosed(Socket socket) {
        try {
            socket.setSoTimeout(1);
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException open) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(server.address() + path)).build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    /** The first line of the answer to a request that no HTTP client would send. */
    private String statusLine(String... lines) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.address().getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write((String.join("\r\n", lines) + "\r\nConnection: close\r\n\r\n")
                    .getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return answer.lines().findFirst().orElse("");
        }
    }
}
