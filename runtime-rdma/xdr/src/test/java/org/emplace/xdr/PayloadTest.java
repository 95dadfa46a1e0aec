// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Payloads of several pieces. */
class PayloadTest {
    private final Payload payload = Payload.of(bytes(1, 2, 3), bytes(4), bytes(5, 6));

    @Test
    void itsBytesAreItsPiecesConcatenated() throws IOException {
        assertThat(payload.length()).isEqualTo(6);
        assertThat(payload.buffer()).isEqualTo(bytes(1, 2, 3, 4, 5, 6)).matches(ByteBuffer::isReadOnly);
        ByteBuffer sink = ByteBuffer.allocate(9).position(2);
        payload.fetchInto(sink).toCompletableFuture().join();
        assertThat(sink.position()).isEqualTo(2);
        assertThat(sink.clear()).isEqualTo(bytes(0, 0, 1, 2, 3, 4, 5, 6, 0));
    }

    @Test
    void itsPiecesAreThePayloadsThatItWasMadeOf() throws IOException {
        assertThat(payload.pieceCount()).isEqualTo(3);
        assertThat(payload.piece(1).buffer()).isEqualTo(bytes(4));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> payload.piece(3));
    }

    @Test
    void nestedPiecesAreFlattenedAndEmptyOnesDropped() throws IOException {
        Payload nested = Payload.of(List.of(payload, Payload.of(bytes()), Payload.of(bytes(7))));

        assertThat(nested.pieceCount()).isEqualTo(4);
        assertThat(nested.buffer()).isEqualTo(bytes(1, 2, 3, 4, 5, 6, 7));
    }

    @Test
    void oneOrNoPieceMakesAPayloadOfOnePiece() throws IOException {
        Payload one = Payload.of(bytes(1));

        assertThat(Payload.of(List.of(Payload.of(bytes()), one))).isSameAs(one);
        assertThat(Payload.of().pieceCount()).isEqualTo(1);
        assertThat(Payload.of().length()).isZero();
        assertThat(one.piece(0)).isSameAs(one);
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> one.piece(1));
    }

    @Test
    void aSinkTooSmallForAllPiecesIsRejected() {
        assertThatIllegalArgumentException().isThrownBy(() -> payload.fetchInto(ByteBuffer.allocate(5)));
    }

    @Test
    void aFetchEndsOnlyWhenNoPieceIsInFlight() {
        CompletableFuture<Void> slow = new CompletableFuture<>();
        Payload mixed =
                Payload.of(List.of(new Piece(slow), new Piece(CompletableFuture.failedFuture(new IOException()))));

        CompletableFuture<Void> fetched =
                mixed.fetchInto(ByteBuffer.allocate(2)).toCompletableFuture();

        assertThat(fetched).isNotDone();
        slow.complete(null);
        assertThat(fetched).isCompletedExceptionally();
    }

    @Test
    void theWholeMessageIsGatheredFromThePiecesWithoutACopy() throws IOException {
        XdrEncoder out = XdrEncoder.onHeap();
        out.writePayload(payload);
        out.writeInt(9);

        List<ByteBuffer> whole = out.finish().unreduced();

        assertThat(whole)
                .containsExactly(
                        bytes(0, 0, 0, 6), bytes(1, 2, 3), bytes(4), bytes(5, 6), bytes(0, 0), bytes(0, 0, 0, 9));
    }

    private static ByteBuffer bytes(int... values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length);
        for (int value : values) {
            bytes.put((byte) value);
        }
        return bytes.flip();
    }

    /** A byte that is still in the peer's memory. */
    private record Piece(CompletionStage<Void> fetched) implements Payload {
        @Override
        public long length() {
            return 1;
        }

        @Override
        public ByteBuffer buffer() {
            return ByteBuffer.allocate(1);
        }

        @Override
        public CompletionStage<Void> fetchInto(ByteBuffer sink) {
            return fetched;
        }
    }
}
