// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.contract;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.WorkRequest;

/**
 * A failure of the device, injected until another one begins. A library loaded before libibverbs
 * (runtime-rdma/verbs/src/test/native/faults.c) injects the fault named in the file that the environment variable
 * {@code FAULT} gives.
 */
enum Fault {
    /** No fault. */
    NONE("none"),
    /** Deregistration of memory fails. */
    REGISTRATIONS_STAY("ibv_dereg_mr"),
    /** Destruction of queue pairs fails. */
    QUEUE_PAIRS_STAY("ibv_destroy_qp"),
    /** Destruction of shared receive queues fails. */
    SHARED_RECEIVE_QUEUES_STAY("ibv_destroy_srq"),
    /** New completion queues have room for three or four completions. */
    COMPLETION_QUEUES_ARE_SHORT("ibv_create_cq"),
    /** The end of a connection is not reported to its peer. */
    PEERS_VANISH("rdma_disconnect");

    private final String function;

    Fault(String function) {
        this.function = function;
    }

    void begin() throws IOException {
        Files.writeString(Path.of(System.getenv("FAULT")), function);
    }

    /** Sends of a message, of which the device reports only the last. */
    static List<WorkRequest> sends(int count, MemoryRegion message) {
        return IntStream.range(0, count).mapToObj(id -> Side.send(id, message)).toList();
    }

    /** Waits for a fixed time: what arrives while the provider's thread is blocked cannot be observed. */
    static void waitForArrivals() throws InterruptedException {
        Thread.sleep(2000);
    }
}
