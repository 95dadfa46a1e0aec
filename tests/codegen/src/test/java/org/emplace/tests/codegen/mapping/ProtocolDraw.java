// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.emplace.tests.codegen.mapping.Node.Array;
import org.emplace.tests.codegen.mapping.Node.Linked;
import org.emplace.tests.codegen.mapping.Node.Member;
import org.emplace.tests.codegen.mapping.Node.Option;
import org.emplace.tests.codegen.mapping.Node.Plain;
import org.emplace.tests.codegen.mapping.Node.SizeArray;
import org.emplace.tests.codegen.mapping.Node.SizeField;
import org.emplace.tests.codegen.mapping.Node.Struct;
import org.emplace.tests.codegen.mapping.Node.Union;

/** Draws a protocol. Every number 0 makes it simpler: fewer members, fewer kinds of types, no clauses. */
final class ProtocolDraw {
    private static final List<Plain> PLAINS =
            Stream.of(Plain.values()).filter(each -> each != Plain.BULK).toList();
    private static final List<Content.Encoded.Form> FORMS = List.of(Content.Encoded.Form.values());
    private static final int DEEPEST = 4;

    /** Half of the protocols are small. */
    private static final int[] DEPTHS = {1, 1, 2, 2, 2, 3, 3, DEEPEST};

    private enum Kind {
        NOTHING,
        PLAIN,
        ITEM,
        STRUCT,
        UNION,
        OPTION,
        FIXED,
        COUNTED,
        LINKED,
        AGAIN,
        /** An array or list of a struct with another array in an option, in an arm, or behind the link. */
        NESTED
    }

    private static final Kind[] KINDS = {
        Kind.NOTHING,
        Kind.NOTHING,
        Kind.PLAIN,
        Kind.PLAIN,
        Kind.ITEM,
        Kind.ITEM,
        Kind.ITEM,
        Kind.ITEM,
        Kind.ITEM,
        Kind.OPTION,
        Kind.STRUCT,
        Kind.UNION,
        Kind.UNION,
        Kind.OPTION,
        Kind.FIXED,
        Kind.COUNTED,
        Kind.COUNTED,
        Kind.LINKED,
        Kind.LINKED,
        Kind.AGAIN,
        Kind.NESTED,
        Kind.NESTED
    };

    private final long seed;
    private final Draws draws;
    private final int deepest;
    private final SortedMap<Integer, SizeField> fields = new TreeMap<>();
    private final SortedMap<Integer, SizeArray> arrays = new TreeMap<>();
    private final List<Known> known = new ArrayList<>();
    private int names;

    /** A struct that may be used again where its sizes can be computed. */
    private record Known(Struct struct, Place place) {}

    private ProtocolDraw(long seed, Draws draws) {
        this.seed = seed;
        this.draws = draws;
        this.deepest = DEPTHS[draws.at("depth").below(DEPTHS.length)];
    }

    static Draft of(long seed, Draws draws) {
        return new ProtocolDraw(seed, draws).draft();
    }

    private Draft draft() {
        Draws clauses = draws.at("clauses");
        Node results;
        List<String> texts = new ArrayList<>();
        boolean operations = draws.at("operations").oneIn(8);
        if (operations) {
            SizeArray array = sizeArray(1, 1 + draws.at("arms").below(3), true);
            results = operations(draws.at("results"), array);
            texts.add("operations args." + array.name() + ", results.results, success " + Node.Status.VALUES.get(0));
        } else {
            results = root(draws.at("results"));
        }
        known.clear();
        List<Member> arguments = new ArrayList<>();
        boolean several = !operations && draws.at("several").oneIn(6);
        Place argument = Place.ARGUMENT;
        arguments.addAll(members(draws.at("before"), argument, 2));
        if (!several) {
            fields.values().forEach(each -> arguments.add(new Member(each.name(), each)));
        }
        arrays.values().forEach(each -> arguments.add(new Member(each.name(), each)));
        arguments.addAll(renamed(members(draws.at("arguments"), argument, 2)));
        limit(Draft.WRITE_CHUNKS.strip(), clauses).ifPresent(texts::add);
        limit("read-chunks", clauses).ifPresent(texts::add);
        if (clauses.at("idempotent").oneIn(2)) {
            texts.add("idempotent");
        }
        return new Draft(
                seed,
                List.copyOf(fields.values()),
                allArrays(),
                arguments,
                several && !fields.isEmpty(),
                results,
                Items.of(results),
                replySize(clauses.at("reply-size")),
                texts,
                draws.at("fetches").oneIn(3));
    }

    /** The arrays up to the last that is used. */
    private List<SizeArray> allArrays() {
        List<SizeArray> all = new ArrayList<>();
        for (int i = 0; !arrays.isEmpty() && i <= arrays.lastKey(); i++) {
            all.add(arrays.getOrDefault(i, new SizeArray(i, 0, false)));
        }
        return all;
    }

    private static List<Member> renamed(List<Member> members) {
        return members.stream()
                .map(each -> new Member("n" + each.name(), each.node()))
                .toList();
    }

    private static Optional<String> limit(String clause, Draws clauses) {
        int drawn = clauses.at(clause).below(12);
        int more = clauses.at("more").at(clause).oneIn(3)
                ? 5 + clauses.at("many").at(clause).below(60)
                : 0;
        return drawn > 6 ? Optional.of(clause + " " + (drawn - 7 + more)) : Optional.empty();
    }

    private Size replySize(Draws clause) {
        return switch (clause.at("kind").below(8)) {
            case 5 -> new Size.Unbounded();
            case 6 -> new Size.Fixed(500 + clause.at("bytes").below(5000));
            case 7 ->
                fields.isEmpty()
                        ? new Size.Fixed(3000)
                        : new Size.OfField(fields.values().iterator().next(), 3000);
            default -> new Size.None();
        };
    }

    private Node root(Draws root) {
        if (root.at("union").oneIn(4)) {
            return union(root, Place.RESULT);
        }
        return struct(root, Place.RESULT, 4);
    }

    private Struct operations(Draws root, SizeArray array) {
        List<Union.Arm> arms = new ArrayList<>();
        for (int arm = 0; arm < array.arms(); arm++) {
            Draws each = root.at("arm").at(arm);
            Place place = Place.operation(array, arm);
            Node answer = switch (each.at("form").below(6)) {
                case 0 -> new Node.Status();
                case 1, 2 -> {
                    List<Member> members = new ArrayList<>();
                    members.add(new Member("status", new Node.Status()));
                    members.addAll(members(each, place, 2));
                    yield new Struct(name("s"), members);
                }
                default ->
                    new Union(
                            name("u"),
                            Node.Status.TYPE,
                            List.of(
                                    new Union.Arm(
                                            Node.Status.VALUES.get(0),
                                            0,
                                            Optional.of(new Member("ok", struct(each, place, 3)))),
                                    new Union.Arm("", 1, Optional.empty())));
            };
            arms.add(new Union.Arm("OP" + arm, arm, Optional.of(new Member("a" + arm, answer))));
        }
        Array results = new Array("", new Union(name("u"), "op", arms), false, -1);
        List<Member> members = new ArrayList<>(plain(root.at("first"), "tag"));
        members.add(new Member("results", new Node.Operations(array, results)));
        members.addAll(plain(root.at("last"), "end"));
        return new Struct(name("s"), members);
    }

    private static List<Member> plain(Draws draws, String name) {
        return draws.oneIn(3) ? List.of(new Member(name, Plain.HYPER)) : List.of();
    }

    private Struct struct(Draws at, Place place, int slots) {
        Struct struct = new Struct(name("s"), members(at, place, slots));
        known.add(new Known(struct, place));
        return struct;
    }

    private List<Member> members(Draws at, Place place, int slots) {
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < slots; i++) {
            String name = "m" + i;
            node(at.at(i), place).ifPresent(node -> members.add(new Member(name, node)));
        }
        return members;
    }

    private Optional<Node> node(Draws at, Place place) {
        Kind kind = KINDS[at.at("kind").below(KINDS.length)];
        if (place.depth() >= deepest && kind.compareTo(Kind.ITEM) > 0) {
            kind = Kind.ITEM;
        }
        return switch (kind) {
            case NOTHING -> Optional.empty();
            case PLAIN ->
                Optional.of(
                        at.at("bulk").oneIn(8)
                                ? Plain.BULK
                                : PLAINS.get(at.at("plain").below(PLAINS.size())));
            case ITEM -> Optional.of(item(at, place));
            case STRUCT -> Optional.of(struct(at.at("in"), place.deeper(), 3));
            case UNION -> Optional.of(union(at.at("in"), place.deeper()));
            case OPTION -> Optional.of(new Option(struct(at.at("in"), place.absentable(), 3)));
            case FIXED, COUNTED -> Optional.of(array(at, place, kind == Kind.FIXED));
            case LINKED -> Optional.of(linked(at, place));
            case AGAIN -> again(at, place);
            case NESTED -> Optional.of(nested(at, place));
        };
    }

    /** Arrays and lists within an operation have no eligible items (E332). */
    private Node array(Draws at, Place place, boolean fixed) {
        Place inside = place.repeated();
        Node element;
        Draws in = at.at("in");
        switch (at.at("element").below(place.depth() < deepest - 1 ? 6 : 4)) {
            case 0, 1 -> element = struct(in, inside, 3);
            case 2, 3 -> element = union(in, inside);
            default -> element = array(at.at("element"), inside, at.at("fixed").oneIn(2));
        }
        int bound = fixed
                ? 1 + at.at("size").below(3)
                : List.of(5, 3, 16, 60, -1).get(at.at("bound").below(5));
        return new Array(name("r"), element, fixed, bound);
    }

    private Node nested(Draws at, Place place) {
        Place inside = place.repeated();
        Place innermost = inside.absentable().repeated();
        boolean isFixed = at.at("fixed").oneIn(2);
        Struct cell = new Struct(name("s"), List.of(new Member("m0", item(at.at("item"), innermost))));
        Array inner = new Array(name("r"), cell, isFixed, 1 + at.at("size").below(3));
        List<Member> head =
                at.at("head").oneIn(2) ? List.of(new Member("h", item(at.at("head item"), inside))) : List.of();
        Struct row = new Struct(name("s"), List.of(new Member("row", inner)));
        Node within = switch (at.at("within").below(4)) {
            case 0 -> new Option(row);
            case 1 ->
                new Union(
                        name("u"),
                        "int",
                        List.of(
                                new Union.Arm("0", 0, Optional.of(new Member("a0", inner))),
                                new Union.Arm("", 1, Optional.empty())));
            default -> row;
        };
        List<Member> after = List.of(new Member("in", within));
        if (at.at("list").oneIn(3)) {
            return new Linked(name("n"), head, after, at.at("one").oneIn(4));
        }
        List<Member> members = Stream.concat(head.stream(), after.stream()).toList();
        int bound = List.of(3, 2, 5, -1).get(at.at("bound").below(4));
        boolean isOuterFixed = bound > 0 && at.at("outer").oneIn(3);
        return new Array(name("r"), new Struct(name("s"), members), isOuterFixed, bound);
    }

    private Node linked(Draws at, Place place) {
        Place inside = place.repeated();
        List<Member> before = members(at.at("in"), inside, 2);
        List<Member> after =
                renamed(members(at.at("after"), inside, at.at("ends").oneIn(2) ? 2 : 0));
        if (before.isEmpty() && after.isEmpty()) {
            before = List.of(new Member("m", Plain.INT));
        }
        return new Linked(name("n"), before, after, at.at("one").oneIn(4));
    }

    private Union union(Draws at, Place place) {
        List<Union.Arm> arms = new ArrayList<>();
        String discriminant =
                List.of("int", "unsigned int", "bool").get(at.at("discriminant").below(3));
        boolean bool = discriminant.equals("bool");
        int most = bool ? 2 : 1 + at.at("arms").below(3);
        for (int arm = 0; arm < most; arm++) {
            String label = bool ? (arm == 0 ? "FALSE" : "TRUE") : String.valueOf(arm);
            boolean isLast = bool && arm == 1 && at.at("otherwise").oneIn(3);
            arms.add(
                    new Union.Arm(isLast ? "" : label, arm, content(at.at("arm").at(arm), place, "a" + arm)));
        }
        if (!bool && at.at("default").oneIn(2)) {
            arms.add(new Union.Arm("", most, content(at.at("other"), place, "other")));
        }
        return new Union(name("u"), discriminant, arms);
    }

    private Optional<Member> content(Draws at, Place place, String name) {
        return node(at, place.absentable()).map(node -> new Member(name, node));
    }

    private Optional<Node> again(Draws at, Place place) {
        List<Known> fitting = known.stream()
                .filter(each -> place.hasAllOf(each.place()) && depth(each.struct()) + place.depth() <= deepest + 1)
                .toList();
        if (fitting.isEmpty()) {
            return Optional.of(Plain.INT);
        }
        return Optional.of(
                fitting.get(at.at("which").below(fitting.size())).struct().copy());
    }

    private static int depth(Node node) {
        if (node instanceof Struct struct) {
            return 1
                    + struct.members().stream()
                            .mapToInt(each -> depth(each.node()))
                            .max()
                            .orElse(0);
        }
        return node instanceof Node.Item || node instanceof Plain ? 0 : 2;
    }

    private Node item(Draws at, Place place) {
        if (!place.isItemAllowed()) {
            return Plain.COUNTED;
        }
        Content content = content(at);
        return new Node.Item(content, place.isArgument() ? new Size.None() : size(at.at("size"), place, content));
    }

    private Content content(Draws at) {
        long bound = List.of(20_000L, 100_000L, 3_000L, 61L, 9_001L)
                .get(at.at("bound").below(5));
        String alias = at.at("alias").oneIn(4) ? name("t") : "";
        return switch (at.at("content").below(14)) {
            case 4, 5 -> new Content.Bytes(false, true, at.at("fixed").oneIn(3) ? 9_001 : 1 + bound % 3_001, alias);
            case 6 -> new Content.Bytes(false, false, -1, alias);
            case 7 -> new Content.Bytes(true, false, bound, alias);
            case 8 -> new Content.Bytes(true, false, -1, "");
            case 9 -> new Content.Numbers("int", 4, false, bound / 4);
            case 10 -> new Content.Numbers("double", 8, at.at("fixed").oneIn(2), 300);
            case 11 -> new Content.Numbers("unsigned hyper", 8, false, -1);
            case 12, 13 ->
                new Content.Encoded(
                        FORMS.get(at.at("form").below(FORMS.size())),
                        name("b"),
                        (int) Math.min(bound, 9_001),
                        1 + at.at("elements").below(3));
            default -> new Content.Bytes(false, false, bound, alias);
        };
    }

    private Size size(Draws at, Place place, Content content) {
        int kind = at.at("kind").below(10);
        long least = content.least();
        long plus = least + (at.at("plus").oneIn(3) ? 8 : 0);
        if (place.operation().isPresent()) {
            SizeArray array = place.operation().get();
            return kind < 6
                    ? new Size.OfElement(array, place.arm(), at.at("number").below(Sizes.NUMBERS), plus)
                    : new Size.When(array, place.arm(), fixed(at, content));
        }
        if (place.isRepeated() && kind >= 4 && kind < 9) {
            boolean mayBeAbsent = place.isAbsentable();
            SizeArray array = switch (at.at("array").below(mayBeAbsent ? 4 : 3)) {
                case 2 -> sizeArray(2, 0, false);
                case 3 -> sizeArray(1, 3, false);
                default -> sizeArray(0, 0, false);
            };
            int arm = array.arms() == 0 ? 0 : at.at("arm").below(array.arms());
            return kind == 8 && mayBeAbsent
                    ? new Size.When(sizeArray(1, 3, false), at.at("arm").below(3), fixed(at, content))
                    : new Size.OfElement(array, arm, at.at("number").below(Sizes.NUMBERS), plus);
        }
        return switch (kind) {
            case 4, 5 -> new Size.Fixed(fixed(at, content));
            case 6, 7, 8 ->
                new Size.OfField(fields.computeIfAbsent(at.at("field").below(3), SizeField::new), plus);
            case 9 -> at.at("unbounded").oneIn(3) ? new Size.Unbounded() : new Size.None();
            default -> new Size.None();
        };
    }

    /** A number for a size, which the item fits. */
    private static long fixed(Draws at, Content content) {
        long most = content.most() < 0 ? 30_000 : content.most();
        return switch (at.at("fixed").below(8)) {
            case 6 -> 0xffffffffL;
            case 7 -> Math.max(content.least(), most + 13);
            case 5 -> Math.max(content.least(), 1_200);
            case 4 -> Math.max(content.least(), 9_000);
            default -> most;
        };
    }

    private SizeArray sizeArray(int index, int arms, boolean operations) {
        return arrays.computeIfAbsent(index, any -> new SizeArray(index, arms, operations));
    }

    private String name(String kind) {
        return kind + ++names;
    }
}
