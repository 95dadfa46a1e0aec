// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.raw;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.emplace.benchmarks.load.CallWindow;
import org.emplace.benchmarks.load.Client;
import org.emplace.benchmarks.load.Load;

/** The client. One thread uses all connections, and receives the responses in the order of its requests. */
public final class RawClient implements Client, CallWindow.Caller<RawConnection> {
    private final List<RawConnection> connections = new ArrayList<>();

    /**
     * Connects to a {@link RawServer}.
     *
     * @param number of connections
     * @param crc whether both ends compute CRC32C
     */
    public RawClient(InetSocketAddress server, int number, boolean crc) throws IOException {
        for (int i = 0; i < number; i++) {
            connections.add(RawConnection.to(server, crc));
        }
    }

    @Override
    public void run(Load load, Histogram durations) throws Exception {
        int number = connections.size();
        for (int i = 0; i < number; i++) {
            connections.get(i).announce(load, load.calls() / number + (i < load.calls() % number ? 1 : 0));
        }
        CallWindow.run(this, load, durations);
    }

    @Override
    public RawConnection start(Load load, int number) throws IOException {
        RawConnection connection = connections.get(number % connections.size());
        connection.sendRequest();
        return connection;
    }

    @Override
    public void finish(RawConnection connection) throws IOException {
        connection.receiveResponse();
    }

    @Override
    public void close() {
        connections.forEach(RawConnection::close);
    }
}
