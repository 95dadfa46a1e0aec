// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.requester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.rpc.Destination;
import org.emplace.rpc.ResultPlaces.Place;
import org.emplace.rpc.client.CallCounters;
import org.emplace.rpcrdma.memory.RdmaMemory;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Which memory is exposed for a result, and where the result is found in it. */
final class ResultChunkTest {
    private static final int POOLED = 1 << 16;

    @AutoClose
    private final RdmaProvider provider = IwarpProvider.open(IwarpOptions.DEFAULTS);

    private final RegisteredPool pool = new RegisteredPool(provider, POOLED);
    private final RdmaMemory domain = new RdmaMemory(provider, pool);

    ResultChunkTest() throws Exception {}

    @Test
    void registeredMemoryIsExposedWhereItIsAndStaysRegistered() throws Exception {
        RdmaMemory.Registered registered = (RdmaMemory.Registered) domain.register(ByteBuffer.allocateDirect(100));
        ResultChunk chunk = ResultChunk.of(
                TestPlaces.of(40, Destination.into(registered, 10, 50)), false, domain, CallCounters.NONE);

        assertThat(chunk.segment(0)).isEqualTo(registered.segment(10, 40));
        assertThat(chunk.segment(0).length()).isEqualTo(40);
        chunk.release();
        ResultChunk again = ResultChunk.of(
                TestPlaces.of(100, Destination.into(registered, 0, 100)), false, domain, CallCounters.NONE);
        assertThat(again.segment(0)).isEqualTo(registered.segment(0, 100));
    }

    @Test
    void memoryThatAnotherProviderRegisteredIsRegisteredHereForTheCall() throws Exception {
        try (RdmaProvider other = IwarpProvider.open(IwarpOptions.DEFAULTS)) {
            RdmaMemory otherDomain = new RdmaMemory(other, new RegisteredPool(other, POOLED));
            RdmaMemory.Registered foreign =
                    (RdmaMemory.Registered) otherDomain.register(ByteBuffer.allocateDirect(100));
            ResultChunk chunk = ResultChunk.of(
                    TestPlaces.of(40, Destination.into(foreign, 10, 50)), false, domain, CallCounters.NONE);

            assertThat(chunk.segment(0).region())
                    .isNotSameAs(foreign.segment(0, 1).region());
            chunk.segment(0).buffer().put(3, (byte) 7);
            assertThat(foreign.buffer().get(13)).isEqualTo((byte) 7);
        }
    }

    @Test
    void whereThereIsNoRoomAByteIsExposed() throws Exception {
        RdmaMemory.Registered registered = (RdmaMemory.Registered) domain.register(ByteBuffer.allocateDirect(100));
        List<Destination> without = List.of(
                Destination.into(ByteBuffer.allocate(0)),
                Destination.into(ByteBuffer.allocateDirect(0)),
                Destination.into(registered, 0, 0));
        for (Destination destination : without) {
            assertOneByte(ResultChunk.of(TestPlaces.of(100, destination), true, domain, CallCounters.NONE));
        }
        Destination pieces = Destination.into(ByteBuffer.allocateDirect(5), ByteBuffer.allocateDirect(6));
        assertOneByte(ResultChunk.of(TestPlaces.of(0, pieces), true, domain, CallCounters.NONE));
    }

    private static void assertOneByte(ResultChunk chunk) throws Exception {
        assertThat(chunk.segments()).isEqualTo(1);
        assertThat(chunk.segment(0).length()).isEqualTo(1);
        chunk.landed(0);
        assertThat(chunk.inPlace().length()).isZero();
    }

    @Test
    void piecesThatTheResultDoesNotReachAreNotExposed() throws Exception {
        Destination destination =
                Destination.into(ByteBuffer.allocateDirect(10), ByteBuffer.allocate(20), ByteBuffer.allocateDirect(30));
        ResultChunk chunk = ResultChunk.of(TestPlaces.of(30, destination), true, domain, CallCounters.NONE);

        assertThat(chunk.segments()).isEqualTo(2);
        assertThat(chunk.segment(0).length()).isEqualTo(10);
        assertThat(chunk.segment(1).length()).isEqualTo(20);
        chunk.segment(0).buffer().put(9, (byte) 8);
        chunk.segment(1).buffer().put(0, (byte) 9);
        chunk.landed(11);
        Payload result = chunk.inPlace();
        assertThat(result.pieceCount()).isEqualTo(2);
        assertThat(result.buffer().get(9)).isEqualTo((byte) 8);
        assertThat(result.buffer().get(10)).isEqualTo((byte) 9);
        chunk.landed(10);
        assertThat(chunk.inPlace().length()).isEqualTo(10);
        chunk.release();
        assertAllIsFree();
    }

    @Test
    void whatWasStagedForPiecesComesBackIfAFurtherOneFindsNoMemory() throws Exception {
        Destination destination = Destination.into(ByteBuffer.allocate(POOLED / 4), ByteBuffer.allocate(POOLED));

        assertThatThrownBy(
                        () -> ResultChunk.of(TestPlaces.of(2 * POOLED, destination), true, domain, CallCounters.NONE))
                .isInstanceOf(RdmaException.class);
        assertAllIsFree();
    }

    /** A later result, which is larger, lands here if the first one is absent. */
    @Test
    void whatDoesNotFitIntoTheDestinationLandsBehindIt() throws Exception {
        ByteBuffer data = ByteBuffer.allocateDirect(10);
        Place place = TestPlaces.optionalThen(10, 25, Destination.into(data));
        ResultChunk chunk = ResultChunk.of(place, true, domain, CallCounters.NONE);

        assertThat(chunk.segments()).isEqualTo(2);
        assertThat(chunk.segment(0).length()).isEqualTo(10);
        assertThat(chunk.segment(1).length()).isEqualTo(15);
        chunk.segment(0).buffer().put(9, (byte) 8);
        chunk.segment(1).buffer().put(0, (byte) 9);
        chunk.landed(11);
        List<ByteBuffer> landed = chunk.bytes();
        assertThat(landed).hasSize(2);
        assertThat(landed.get(0).get(9)).isEqualTo((byte) 8);
        assertThat(landed.get(1).get(0)).isEqualTo((byte) 9);
        assertThat(landed.get(1).remaining()).isEqualTo(1);
        assertThatThrownBy(chunk::inPlace).isInstanceOf(XdrException.class);
        chunk.release();
        assertAllIsFree();
    }

    @Test
    void withoutRoomForSegmentsTheWholeChunkIsStaged() throws Exception {
        ByteBuffer data = ByteBuffer.allocateDirect(10);
        ResultChunk chunk = ResultChunk.of(
                TestPlaces.optionalThen(10, 25, Destination.into(data)), false, domain, CallCounters.NONE);

        assertThat(chunk.segments()).isEqualTo(1);
        assertThat(chunk.segment(0).length()).isEqualTo(25);
        chunk.segment(0).buffer().put(9, (byte) 8);
        chunk.landed(10);
        assertThat(chunk.inPlace().buffer().get(9)).isEqualTo((byte) 8);
        assertThat(data.get(9)).isEqualTo((byte) 8);
        chunk.landed(11);
        assertThatThrownBy(chunk::inPlace).isInstanceOf(XdrException.class);
    }

    private void assertAllIsFree() throws RdmaException {
        assertThat(pool.acquire(POOLED)).isNotNull();
    }
}
