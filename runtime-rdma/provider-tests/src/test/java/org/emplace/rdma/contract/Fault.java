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
 * How devices fail, until another fault begins. A library that stands before libibverbs makes them (runtime-rdma/verbs/src/test/native/faults.c),
 * as the file says that the environment variable {@code FAULT} names.
 */
enum Fault {
    /** They do not. */
    NONE("none"),
    /** Memory is not deregistered. */
    REGISTRATIONS_STAY("ibv_dereg_mr"),
    /** Queue pairs are not destroyed. */
    QUEUE_PAIRS_STAY("ibv_destroy_qp"),
    /** Shared receive queues are not destroyed. */
    SHARED_RECEIVE_QUEUES_STAY("ibv_destroy_srq"),
    /** Completion queues that are created have room for three or four completions. */
    COMPLETION_QUEUES_ARE_SHORT("ibv_create_cq"),
    /** The peers of connections that end are not told. */
    PEERS_VANISH("rdma_disconnect");

    private final String function;

    Fault(String function) {
        this.function = function;
    }

    void begin() throws IOException {
        Files.writeString(Path.of(System.getenv("FAULT")), function);
    }

    /** Sends of a message, of which the last alone is reported by the device. */
    static List<WorkRequest> sends(int count, MemoryRegion message) {
        return IntStream.range(0, count).mapToObj(id -> Side.send(id, message)).toList();
    }

    /** What arrives while the provider's thread is held up is not to be seen: there is nothing to wait for but time. */
    static void letTheRestArrive() throws InterruptedException {
        Thread.sleep(2000);
    }
}
