// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpcrdma.Blobs.pattern;
import static org.emplace.tests.codegen.wire.ClientOfRawServer.OPTIONS;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.emplace.rpc.Destination;
import org.emplace.rpc.OperationException;
import org.emplace.rpc.OperationResult;
import org.emplace.rpc.RpcCall;
import org.emplace.rpcrdma.Words;
import org.emplace.tests.codegen.absence.Absence1;
import org.emplace.tests.codegen.absence.Absence1Client;
import org.emplace.tests.codegen.absence.Absence1PlanCall;
import org.emplace.tests.codegen.absence.Answers;
import org.emplace.tests.codegen.absence.Book;
import org.emplace.tests.codegen.absence.Chain;
import org.emplace.tests.codegen.absence.Copies;
import org.emplace.tests.codegen.absence.Copy;
import org.emplace.tests.codegen.absence.Halves;
import org.emplace.tests.codegen.absence.Letter;
import org.emplace.tests.codegen.absence.NameOk;
import org.emplace.tests.codegen.absence.Pairs;
import org.emplace.tests.codegen.absence.Part;
import org.emplace.tests.codegen.absence.Parts;
import org.emplace.tests.codegen.absence.Range;
import org.emplace.tests.codegen.absence.Ranges;
import org.emplace.tests.codegen.absence.ReadOk;
import org.emplace.tests.codegen.absence.Shelf;
import org.emplace.xdr.Payload;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Replies without some of their eligible items, written by hand: a client puts each item into the buffer of its own
 * element, whichever chunk it comes by.
 */
final class AbsentResultsTest {
    private static final int DONE = 0;
    private static final int MISSING = 1;
    private static final int READ_IT = 1;
    private static final int NAME_IT = 2;

    @AutoClose
    private final ClientOfRawServer peers = new ClientOfRawServer();

    private final Absence1Client client = Absence1Client.on(peers.connection).with(OPTIONS);

    private static ByteBuffer[] buffers(int count) {
        ByteBuffer[] buffers = new ByteBuffer[count];
        Arrays.setAll(buffers, i -> ByteBuffer.allocateDirect(4000));
        return buffers;
    }

    private static List<Destination> into(ByteBuffer... buffers) {
        return Arrays.stream(buffers).map(Destination::into).toList();
    }

    private static Ranges ranges(int... lengths) {
        return new Ranges(
                IntStream.of(lengths).mapToObj(length -> new Range(length)).toList());
    }

    /** Requires that the payload is in the buffer, and shows its bytes. */
    private static void assertIn(ByteBuffer buffer, Payload payload, ByteBuffer bytes) throws Exception {
        assertThat(buffer.slice(0, bytes.capacity())).isEqualTo(bytes);
        assertThat(payload.buffer()).isEqualTo(bytes);
        buffer.put(0, (byte) ~bytes.get(0));
        assertThat(payload.buffer().get(0)).as("a view of the buffer").isEqualTo((byte) ~bytes.get(0));
    }

    private WriteList received() throws Exception {
        return new WriteList(peers, peers.server.receive());
    }

    @Test
    void ofIndependentElementsOneIsAbsent() throws Exception {
        ByteBuffer[] data = buffers(3);
        RpcCall<Parts> call = client.partsAsync(ranges(1500, 2000, 3001), into(data));

        WriteList list = received();
        assertThat(list.count()).isEqualTo(3);
        assertThat(list.room(0))
                .as("room for the largest item that can be the first")
                .isEqualTo(3001);
        assertThat(list.room(1)).isEqualTo(3001);
        assertThat(list.room(2)).isEqualTo(3001);
        list.write(pattern(1999));
        list.write(pattern(3001));
        peers.server.send(list.reply().and(3).and(MISSING).and(DONE, 1999).and(DONE, 3001));

        List<Part> found = call.await().found();
        assertThat(found.get(0)).isInstanceOf(Part.Default.class);
        assertIn(data[1], ((Part.Done) found.get(1)).data(), pattern(1999));
        assertIn(data[2], ((Part.Done) found.get(2)).data(), pattern(3001));
    }

    @Test
    void ofTwoArraysByOneIndexTheFirstIsShorter() throws Exception {
        ByteBuffer[] left = buffers(2);
        ByteBuffer[] right = buffers(2);
        RpcCall<Halves> call =
                client.halvesAsync(ranges(1500, 2500), new Absence1.HalvesDestinations(into(left), into(right)));

        WriteList list = received();
        assertThat(list.count()).isEqualTo(4);
        list.write(pattern(1400));
        list.write(pattern(1450));
        list.write(pattern(2450));
        peers.server.send(
                list.reply().and(1).and(DONE, 1400).and(2).and(DONE, 1450).and(DONE, 2450));

        Halves halves = call.await();
        assertIn(left[0], ((Part.Done) halves.left().get(0)).data(), pattern(1400));
        assertIn(right[0], ((Part.Done) halves.right().get(0)).data(), pattern(1450));
        assertIn(right[1], ((Part.Done) halves.right().get(1)).data(), pattern(2450));
    }

    @Test
    void twoItemsOfAnElementComeBesideEachOtherAndBeforeTheOneBehindTheArray() throws Exception {
        ByteBuffer[] left = buffers(2);
        ByteBuffer[] right = buffers(2);
        ByteBuffer rest = ByteBuffer.allocateDirect(4000);
        RpcCall<Pairs> call =
                client.pairsAsync(new Absence1.PairsDestinations(into(left), into(right), Destination.into(rest)));

        WriteList list = received();
        assertThat(list.count()).isEqualTo(5);
        for (int length = 1; length <= 5; length++) {
            list.write(pattern(length));
        }
        peers.server.send(list.reply().and(1, 2, 3, 4, 5));

        Pairs pairs = call.await();
        assertIn(left[0], pairs.both().get(0).left(), pattern(1));
        assertIn(right[0], pairs.both().get(0).right(), pattern(2));
        assertIn(left[1], pairs.both().get(1).left(), pattern(3));
        assertIn(right[1], pairs.both().get(1).right(), pattern(4));
        assertIn(rest, pairs.rest(), pattern(5));
    }

    @Test
    void aStructAmongPayloadsHasAChunkOfItsOwn() throws Exception {
        ByteBuffer[] data = buffers(2);
        ByteBuffer rest = ByteBuffer.allocateDirect(4000);
        RpcCall<Shelf> call = client.shelfAsync(into(data), Destination.into(rest));

        WriteList list = received();
        assertThat(list.count()).isEqualTo(5);
        assertThat(list.room(1)).as("room for a label").isGreaterThanOrEqualTo(2008);
        list.write(pattern(1001));
        list.write(new Words().and(7).text("first").bytes());
        list.write(pattern(1002));
        list.write(new Words().and(8).text("second").bytes());
        list.write(pattern(1003));
        peers.server.send(list.reply().and(1001, 1002, 1003));

        Shelf shelf = call.await();
        assertIn(data[0], shelf.both().get(0).data(), pattern(1001));
        assertIn(data[1], shelf.both().get(1).data(), pattern(1002));
        assertIn(rest, shelf.rest(), pattern(1003));
        assertThat(shelf.both().get(1).about().number()).isEqualTo(8);
    }

    @Test
    void theItemBehindAbsentOptionalsComesByTheFirstChunk() throws Exception {
        ByteBuffer[] pages = buffers(2);
        ByteBuffer postscript = ByteBuffer.allocateDirect(4000);
        RpcCall<Letter> call = client.letterAsync(
                Destination.into(pages[0]), Destination.into(pages[1]), Destination.into(postscript));

        WriteList list = received();
        assertThat(list.count()).isEqualTo(4);
        assertThat(list.room(0)).as("room for a label or a postscript").isEqualTo(4000);
        list.write(pattern(3999));
        peers.server.send(list.reply().and(0).and(0).and(3999));

        assertIn(postscript, call.await().postscript(), pattern(3999));
    }

    @Test
    void theItemsInPresentOptionalDataComeByTheFirstChunksIfTheItemBeforeIsAbsent() throws Exception {
        ByteBuffer[] pages = buffers(2);
        ByteBuffer postscript = ByteBuffer.allocateDirect(4000);
        RpcCall<Letter> call = client.letterAsync(
                Destination.into(pages[0]), Destination.into(pages[1]), Destination.into(postscript));

        WriteList list = received();
        list.write(pattern(4000));
        list.write(pattern(3000));
        list.write(pattern(11));
        peers.server.send(list.reply().and(0).and(1, 4000, 3000).and(11));

        Letter letter = call.await();
        assertIn(pages[0], letter.pages().orElseThrow().left(), pattern(4000));
        assertIn(pages[1], letter.pages().orElseThrow().right(), pattern(3000));
        assertIn(postscript, letter.postscript(), pattern(11));
    }

    @Test
    void theArmsOfAUnionHaveOneChunkTogether() throws Exception {
        ByteBuffer[] plain = buffers(2);
        ByteBuffer[] packed = buffers(2);
        RpcCall<Copies> call =
                client.copiesAsync(ranges(1500, 2000), new Absence1.CopiesDestinations(into(plain), into(packed)));

        WriteList list = received();
        assertThat(list.count()).isEqualTo(2);
        list.write(pattern(1001));
        list.write(pattern(1002));
        peers.server.send(list.reply().and(2).and(1, 1001).and(0, 1002));

        Copies copies = call.await();
        assertIn(packed[0], ((Copy.Case1) copies.all().get(0)).packed(), pattern(1001));
        assertIn(plain[1], ((Copy.Case0) copies.all().get(1)).plain(), pattern(1002));
    }

    /** RFC 4506 section 4.19: the rest of the list is between the members before the link and those after it. */
    @Test
    void membersAfterALinkComeInReverse() throws Exception {
        ByteBuffer[] heads = buffers(3);
        ByteBuffer[] tails = buffers(3);
        RpcCall<Chain> call = client.chainAsync(new Absence1.ChainDestinations(into(heads), into(tails)));

        WriteList list = received();
        assertThat(list.count())
                .as("as write-chunks states, which is more than the destinations")
                .isEqualTo(8);
        list.write(pattern(1)); // head 0
        list.write(pattern(2)); // head 1
        list.write(pattern(3999)); // tail 1
        list.write(pattern(4000)); // tail 0
        peers.server.send(list.reply().and(1, 1, 1, 2, 0, 3999, 4000));

        Chain chain = call.await();
        assertThat(chain.beads()).hasSize(2);
        assertIn(heads[0], chain.beads().get(0).head(), pattern(1));
        assertIn(heads[1], chain.beads().get(1).head(), pattern(2));
        assertIn(tails[0], chain.beads().get(0).tail(), pattern(4000));
        assertIn(tails[1], chain.beads().get(1).tail(), pattern(3999));
    }

    @Test
    void anArrayHasAsManyChunksAsThereAreDestinations() throws Exception {
        ByteBuffer[] sheets = buffers(3);
        RpcCall<Book> call = client.bookAsync(into(sheets));

        WriteList list = received();
        assertThat(list.count()).isEqualTo(3);
        list.write(pattern(4000));
        list.write(pattern(0));
        list.write(pattern(3998));
        peers.server.send(list.reply().and(3).and(4000, 0, 3998));

        Book book = call.await();
        assertIn(sheets[0], book.sheets().get(0).text(), pattern(4000));
        assertThat(book.sheets().get(1).text().length()).isZero();
        assertIn(sheets[2], book.sheets().get(2).text(), pattern(3998));
    }

    @Test
    void anArrayHasAsManyChunksAsItsBoundIfThereAreNoDestinations() throws Exception {
        RpcCall<Book> call = client.bookAsync(null);

        WriteList list = received();
        assertThat(list.count()).isEqualTo(5);
        list.write(pattern(4000));
        peers.server.send(list.reply().and(1).and(4000));

        assertThat(call.await().sheets().get(0).text().buffer()).isEqualTo(pattern(4000));
    }

    @Test
    void anOperationThatSucceedsWithoutDataTakesNoChunk() throws Exception {
        ByteBuffer[] data = buffers(2);
        ByteBuffer name = ByteBuffer.allocateDirect(1200);
        Absence1PlanCall call = client.plan();
        OperationResult<ReadOk> first = call.readIt(2000, Destination.into(data[0]));
        OperationResult<ReadOk> second = call.readIt(3000, Destination.into(data[1]));
        OperationResult<NameOk> third = call.nameIt(Destination.into(name));
        RpcCall<Answers> started = call.start();

        WriteList list = received();
        assertThat(list.count()).isEqualTo(3);
        list.write(pattern(2999));
        list.write(pattern(1199));
        peers.server.send(list.reply()
                .and(3)
                .and(READ_IT, DONE, 1, 0) // the end of the file, and no piece
                .and(READ_IT, DONE, 0, 1, 2999)
                .and(NAME_IT, DONE, 1199));

        started.await();
        assertThat(first.get().found()).isEmpty();
        assertIn(data[1], second.get().found().orElseThrow().data(), pattern(2999));
        assertIn(name, third.get().name(), pattern(1199));
    }

    @Test
    void afterAnOperationThatFailsThereIsNothing() throws Exception {
        ByteBuffer[] data = buffers(2);
        Absence1PlanCall call = client.plan();
        OperationResult<ReadOk> first = call.readIt(2000, Destination.into(data[0]));
        OperationResult<ReadOk> second = call.readIt(3000, Destination.into(data[1]));
        RpcCall<Answers> started = call.start();

        WriteList list = received();
        list.write(pattern(1999));
        peers.server.send(list.reply().and(2).and(READ_IT, DONE, 1, 1, 1999).and(READ_IT, MISSING));

        started.await();
        assertIn(data[0], first.get().found().orElseThrow().data(), pattern(1999));
        assertThat(second.failure()).get().isInstanceOf(OperationException.Failed.class);
    }
}
