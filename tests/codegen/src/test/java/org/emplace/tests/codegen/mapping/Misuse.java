// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.emplace.rpc.Destination;
import org.emplace.tests.codegen.mapping.Area.Slice;
import org.emplace.tests.codegen.mapping.Items.Found;
import org.emplace.tests.codegen.mapping.Plan.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Destinations that no call may have.
 *
 * @param destinations by payload item and element
 * @param memory which no call may change
 * @param named what the message must say
 */
record Misuse(Named destinations, List<Slice> memory, List<String> named) {

    private enum Fault {
        ONE_TWICE,
        OVERLAP,
        ONE_PIECE_TWICE,
        READ_ONLY,
        NUMBER
    }

    /** An element of a payload item. */
    private record Position(int item, int element) {}

    /** Draws destinations for a call; none if nothing can be wrong with them. */
    static Optional<Misuse> of(Exchange exchange, Exchange.Way way, Peer peer, Draws draws) {
        Drawing drawing = new Drawing(exchange, peer, draws);
        List<Fault> possible = new ArrayList<>();
        if (!drawing.positions.isEmpty()) {
            possible.addAll(List.of(Fault.READ_ONLY, Fault.ONE_PIECE_TWICE));
        }
        if (drawing.positions.size() > 1) {
            possible.addAll(List.of(Fault.ONE_TWICE, Fault.OVERLAP, Fault.OVERLAP));
        }
        List<Integer> countable = drawing.countable(way);
        if (!countable.isEmpty()) {
            possible.addAll(List.of(Fault.NUMBER, Fault.NUMBER));
        }
        if (possible.isEmpty()) {
            return Optional.empty();
        }
        switch (possible.get(draws.at("fault").below(possible.size()))) {
            case ONE_TWICE -> drawing.oneTwice();
            case OVERLAP -> drawing.overlap();
            case ONE_PIECE_TWICE -> drawing.onePieceTwice();
            case READ_ONLY -> drawing.readOnly();
            case NUMBER -> drawing.number(countable.get(draws.at("item").below(countable.size())));
        }
        return Optional.of(new Misuse(new Named(drawing.destinations), drawing.memory, drawing.named));
    }

    private static final class Drawing {
        private final Exchange exchange;
        private final Peer peer;
        private final Draws draws;
        private final List<Found> items;
        private final List<List<@Nullable Destination>> destinations = new ArrayList<>();
        private final List<Position> positions = new ArrayList<>();
        private final List<Slice> memory = new ArrayList<>();
        private final List<String> named = new ArrayList<>();

        Drawing(Exchange exchange, Peer peer, Draws draws) {
            this.exchange = exchange;
            this.peer = peer;
            this.draws = draws;
            this.items = exchange.draft().payloads();
            for (int item = 0; item < items.size(); item++) {
                int count = item < exchange.plans().size()
                        ? exchange.plans().get(item).byElement().size()
                        : 0;
                destinations.add(new ArrayList<>(Collections.nCopies(count, null)));
                for (int element = 0; element < count; element++) {
                    positions.add(new Position(item, element));
                }
            }
        }

        /** Two different ones, in any order. */
        private List<Position> two() {
            int first = draws.at("first").below(positions.size());
            int second = draws.at("second").below(positions.size() - 1);
            return List.of(positions.get(first), positions.get(second < first ? second : second + 1));
        }

        private void set(Position at, Destination destination) {
            destinations.get(at.item()).set(at.element(), destination);
            String name = Exchange.name(items.get(at.item()), at.element());
            if (!named.contains(name)) {
                named.add(name);
            }
        }

        private Kind kind(String label) {
            return List.of(Kind.DIRECT, Kind.HEAP, Kind.REGISTERED)
                    .get(draws.at(label).below(3));
        }

        private Slice take(Kind kind) {
            Slice slice = peer.take(kind, 1 + draws.at("length").below(300));
            memory.add(slice);
            return slice;
        }

        void oneTwice() {
            Kind kind = kind("kind");
            Destination one = peer.destination(kind, take(kind));
            two().forEach(at -> set(at, one));
        }

        void overlap() {
            Kind kind = kind("kind");
            Slice whole = take(kind);
            List<Position> two = two();
            set(two.get(0), peer.destination(kind, whole));
            // A range of registered memory is also that of a buffer.
            boolean asBuffer = kind == Kind.REGISTERED && draws.at("buffer").oneIn(2);
            set(two.get(1), peer.destination(asBuffer ? Kind.DIRECT : kind, part(whole)));
        }

        void onePieceTwice() {
            Kind kind = kind("kind");
            Slice whole = take(kind);
            List<Destination> pieces = new ArrayList<>();
            pieces.add(peer.destination(kind, whole));
            pieces.add(peer.destination(kind, take(kind)));
            pieces.add(draws.at("same").oneIn(2) ? pieces.get(0) : peer.destination(kind, part(whole)));
            set(positions.get(draws.at("first").below(positions.size())), Destination.into(pieces));
        }

        private Slice part(Slice whole) {
            int from = draws.at("from").below(whole.length());
            return whole.part(from, 1 + draws.at("to").below(whole.length() - from));
        }

        void readOnly() {
            Destination readOnly = Destination.into(take(Kind.DIRECT).bytes().asReadOnlyBuffer());
            boolean inPieces = draws.at("pieces").oneIn(2);
            set(
                    positions.get(draws.at("first").below(positions.size())),
                    inPieces
                            ? Destination.into(List.of(peer.destination(Kind.HEAP, take(Kind.HEAP)), readOnly))
                            : readOnly);
        }

        /** The items for which a number of destinations is wrong, and a caller could name so many. */
        List<Integer> countable(Exchange.Way way) {
            return IntStream.range(0, items.size())
                    .filter(item ->
                            isList(items.get(item)) ? most(items.get(item)) >= 0 : way == Exchange.Way.PROCEDURE)
                    .boxed()
                    .toList();
        }

        private static boolean isList(Found item) {
            return !item.inside().isEmpty();
        }

        /** The number of destinations that an item may have; -1 if it is not limited. */
        private int most(Found item) {
            int most = exchange.mostCount(item);
            return exchange.knownCount(item).orElse(most < 20 ? most : -1);
        }

        void number(int item) {
            Found found = items.get(item);
            int most = isList(found) ? most(found) : 1;
            boolean tooFew = exchange.knownCount(found).isPresent()
                    && most > 1
                    && draws.at("few").oneIn(2);
            List<@Nullable Destination> other = destinations.get(item);
            other.clear();
            other.addAll(Collections.nCopies(tooFew ? most - 1 : most + 1, null));
            named.add(found.path());
        }
    }
}
