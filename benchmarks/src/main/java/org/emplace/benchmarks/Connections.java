// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "connections",
        mixinStandardHelpOptions = true,
        description = {
            "Measures connections between two JVMs on loopback, of software iWARP with CRC32C, Emplace's TCP transport, gRPC and plain"
                    + " sockets, in turns: NULL calls over 1, 100 and 1,000 of them, with as many calls in flight in total; connections set up"
                    + " per second; the memory of an idle connection, and of a waiting call. Prints Markdown tables. Takes some minutes."
        })
final class Connections implements Callable<Integer> {
    @Mixin
    private Rounds rounds = new Rounds();

    @Override
    public Integer call() throws IOException, InterruptedException {
        System.out.println(Machine.describe());
        System.out.println(new CallsOverConnections(rounds).measure());
        System.out.println(new IdleConnections(rounds).measure());
        System.out.println(new WaitingCalls(rounds).measure());
        return 0;
    }
}
