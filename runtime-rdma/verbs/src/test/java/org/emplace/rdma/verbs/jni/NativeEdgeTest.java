// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.jni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The native methods without a device, above all their exceptions. The lab tests them with devices. */
final class NativeEdgeTest {
    private static final int ENODEV = 19;

    @BeforeAll
    static void load() {
        assertThat(NativeLibrary.unavailable()).isEmpty();
    }

    @Test
    void whatWasDestroyedIsRefusedByTheNamesOfMethodAndKind() throws Exception {
        long poller = Poller.create();
        Poller.destroy(poller);
        assertThatIllegalStateException()
                .isThrownBy(() -> Poller.destroy(poller))
                .withMessage("destroy: the handle names no open poller");
        assertThatIllegalStateException()
                .isThrownBy(() -> Poller.wake(poller))
                .withMessage("wake: the handle names no open poller");
    }

    @Test
    void anObjectThatTakesThePlaceOfADestroyedOneIsNotReachedByItsHandle() throws Exception {
        long first = Poller.create();
        Poller.destroy(first);
        long second = Poller.create();
        assertThatIllegalStateException().isThrownBy(() -> Poller.wake(first));
        Poller.destroy(second);
    }

    @Test
    void aHandleOfAnotherKindIsRefused() throws Exception {
        long poller = Poller.create();
        assertThatIllegalStateException()
                .isThrownBy(() -> Libibverbs.deregister(poller))
                .withMessage("deregister: the handle names no open memory region");
        assertThatIllegalStateException()
                .isThrownBy(() -> Librdmacm.createId(poller))
                .withMessage("createId: the handle names no open event channel");
        Poller.destroy(poller);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MAX_VALUE, Long.MIN_VALUE, 0x7fffffffL, 1L << 32 | 0xffffff})
    void aNumberThatIsNoHandleIsRefused(long handle) {
        assertThatIllegalStateException().isThrownBy(() -> Libibverbs.destroyQueuePair(handle));
        assertThatIllegalStateException().isThrownBy(() -> Librdmacm.disconnect(handle));
    }

    @Test
    void aWakeUpEndsTheNextWait() throws Exception {
        long poller = Poller.create();
        long[] ready = new long[2];
        Poller.wake(poller);
        Poller.wake(poller);
        assertThat(Poller.await(poller, 60_000, ready)).isZero();
        assertThat(Poller.await(poller, 0, ready)).isZero();
        Poller.destroy(poller);
    }

    @Test
    void destroyingAPollerEndsTheWaitsOnIt() throws Exception {
        long poller = Poller.create();
        CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> {
            try {
                while (true) {
                    Poller.await(poller, 60_000, new long[1]);
                }
            } catch (NativeException e) {
                throw new AssertionError(e);
            }
        });
        Poller.destroy(poller);
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> waiting.get(30, TimeUnit.SECONDS))
                .withCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void argumentsOutOfBoundsAreRefused() throws Exception {
        long poller = Poller.create();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Poller.await(poller, -1, new long[1]))
                .withMessage("await: the time to wait is negative");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Poller.await(poller, 0, new long[0]))
                .withMessage("await: an array is too short");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Librdmacm.bind(0, new byte[5], 0, 0))
                .withMessage("bind: an address has 4 or 16 bytes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Librdmacm.bind(0, new byte[17], 0, 0))
                .withMessage("bind: an array of bytes is too long");
        assertThatIllegalArgumentException().isThrownBy(() -> Librdmacm.bind(0, new byte[4], 0, 65536));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Librdmacm.connect(0, new byte[256], 1, 1, 7, 7))
                .withMessage("connect: private data have 255 bytes at most");
        assertThatIllegalArgumentException().isThrownBy(() -> Librdmacm.accept(0, new byte[0], 1, 1, 8));
        assertThatIllegalArgumentException().isThrownBy(() -> NativeLibrary.layout(5));
        Poller.destroy(poller);
    }

    @Test
    void buffersHaveToBeDirectAndToHoldWhatIsAskedOfThem() {
        ByteBuffer direct = ByteBuffer.allocateDirect(16);
        int[] keys = new int[2];
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Libibverbs.createCompletionQueue(0, 0, 1, ByteBuffer.allocate(64)))
                .withMessage("createCompletionQueue: the buffer is not a direct one");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Libibverbs.createCompletionQueue(0, 0, 1, direct))
                .withMessage("createCompletionQueue: the buffer is too small for a completion, or not aligned");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Libibverbs.createCompletionQueue(
                        0, 0, 1, ByteBuffer.allocateDirect(256).slice(1, 255)));
        assertThatIllegalArgumentException().isThrownBy(() -> Libibverbs.address(ByteBuffer.allocate(1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Librdmacm.nextEvent(0, direct))
                .withMessage("nextEvent: the buffer is too small for an event with its private data");
        assertThatIllegalArgumentException().isThrownBy(() -> Libibverbs.register(0, direct, 0, 17, 0, keys));
        assertThatIllegalArgumentException().isThrownBy(() -> Libibverbs.register(0, direct, -1, 4, 0, keys));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Libibverbs.register(0, direct, Integer.MAX_VALUE, Integer.MAX_VALUE, 0, keys));
        assertThatIllegalArgumentException().isThrownBy(() -> Libibverbs.register(0, direct, 0, 4, 64, keys));
        assertThatIllegalArgumentException().isThrownBy(() -> Libibverbs.register(0, direct, 0, 4, 0, new int[1]));
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                NativeLibrary.EVENT,
                NativeLibrary.SEND_REQUEST,
                NativeLibrary.SCATTER_GATHER,
                NativeLibrary.RECEIVE_REQUEST,
                NativeLibrary.COMPLETION
            })
    void fieldsLieWithinTheirStructureAndNoTwoAtOnePlace(int structure) {
        int[] layout = NativeLibrary.layout(structure);
        assertThat(Arrays.stream(layout).skip(1).boxed())
                .doesNotHaveDuplicates()
                .allMatch(offset -> offset >= 0 && offset + 4 <= layout[0]);
    }

    @Test
    void aDeviceThatIsNotThereIsNotFound() {
        assertThatExceptionOfType(NativeException.class)
                .isThrownBy(() -> Libibverbs.queryByName("no-such-device"))
                .matches(e -> e.errno() == ENODEV, "ENODEV")
                .withMessage("ibv_get_device_list: No such device");
    }

    @Test
    void anEventChannelIsHadWhereTheKernelHasRdmaAndNowhereElse() throws Exception {
        long poller = Poller.create();
        if (Files.isWritable(Path.of("/dev/infiniband/rdma_cm"))) {
            Librdmacm.destroyEventChannel(Librdmacm.createEventChannel(poller));
        } else if (Files.notExists(Path.of("/dev/infiniband/rdma_cm"))) {
            assertThat(Libibverbs.deviceNames()).isEmpty();
            assertThatExceptionOfType(NativeException.class)
                    .isThrownBy(() -> Librdmacm.createEventChannel(poller))
                    .withMessage("rdma_create_event_channel: No such device")
                    .matches(e -> e.errno() == ENODEV, "ENODEV");
        } else {
            assertThatExceptionOfType(NativeException.class).isThrownBy(() -> Librdmacm.createEventChannel(poller));
        }
        // Succeeds only if no channel is left in the poller.
        Poller.destroy(poller);
    }
}
