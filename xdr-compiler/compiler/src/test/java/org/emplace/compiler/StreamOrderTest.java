// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.emplace.compiler.binding.ChunkPlan;
import org.emplace.compiler.binding.ChunkPlan.EligibleItem;
import org.emplace.compiler.binding.ChunkPosition;
import org.emplace.compiler.binding.StreamOrder;
import org.emplace.compiler.binding.UncountedResult;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.model.Target;
import org.junit.jupiter.api.Test;

class StreamOrderTest {

    @Test
    void theItemsOfAnElementComeTogetherAndWhatFollowsTheArrayBehindThem() {
        ChunkPlan plan = plan("""
                struct pair { /*@ddp eligible */ opaque a<9000>; int n; /*@ddp eligible */ opaque b<9000>; };
                struct res { pair pairs[2]; /*@ddp eligible */ opaque c<9000>; };
                """);

        assertThat(shown(plan.results())).isEqualTo("{pairs: 2..2 of {a: #, b: #}, c: #}");
        assertThat(plan.results().most()).isEqualTo(5);
        assertThat(plan.writeChunkLimit()).isEqualTo(5);
    }

    @Test
    void anArrayHasAsManyItemsAsItsBoundAllowsAndAListAnyNumber() {
        ChunkPlan plan = plan("""
                struct one { /*@ddp eligible */ opaque data<9000>; };
                struct entry { one it; entry *next; };
                struct res { one some<5>; one any<>; entry *list; };
                """);

        assertThat(shown(plan.results()))
                .isEqualTo("{some: 0..5 of {data: #}, any: 0.. of {data: #}, list: maybe 1.. of {it: {data: #}}}");
        assertThat(plan.results().least()).isZero();
        assertThat(plan.writeChunkLimit()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void arraysWithinArraysMultiply() {
        ChunkPlan plan = plan("""
                struct one { /*@ddp eligible */ opaque data<9000>; };
                typedef one row<3>;
                struct res { row rows[4]; row none[0]; };
                """);

        assertThat(shown(plan.results())).isEqualTo("{rows: 4..4 of 0..3 of {data: #}}");
        assertThat(plan.writeChunkLimit()).isEqualTo(12);
    }

    @Test
    void membersBehindALinkComeBehindTheWholeList() {
        ChunkPlan plan = plan("""
                struct around { /*@ddp eligible */ opaque head<9000>; around *next; /*@ddp eligible */ opaque foot<9000>; };
                struct before { /*@ddp eligible */ opaque only<9000>; before *next; int rest; };
                struct behind { int rest; behind *next; /*@ddp eligible */ opaque only<9000>; };
                struct res { around *a; before *b; behind c; };
                """);

        assertThat(shown(plan.results()))
                .isEqualTo("{a: maybe {head: #} ... {foot: #}, b: maybe 1.. of {only: #}, c: {} ... {only: #}}");
    }

    @Test
    void eachChunkBehindTheFirstElementCanTakeWhatFollowsALink() {
        ChunkPlan plan = plan("""
                struct around { /*@ddp eligible */ opaque head<9000>; around *next; /*@ddp eligible */ opaque foot<9000>; };
                struct behind { behind *next; /*@ddp eligible */ opaque only<9000>; };
                struct res { around *a; behind c; };
                """);

        assertThat(ChunkPosition.of(plan).subList(0, 2))
                .containsExactly(
                        new ChunkPosition(1, List.of("results.a[0].head"), List.of("results.c[].only")),
                        new ChunkPosition(
                                2, List.of("results.a[1].head"), List.of("results.a[].foot", "results.c[].only")));
    }

    @Test
    void onlyOneArmIsPresent() {
        ChunkPlan plan = plan("""
                struct pair { /*@ddp eligible */ opaque a<9000>; /*@ddp eligible */ opaque b<9000>; };
                union res switch (int kind) {
                case 0: pair both;
                case 1: case 2: /*@ddp eligible */ opaque one<9000>;
                case 3: int other;
                default: void;
                };
                """);

        assertThat(shown(plan.results())).isEqualTo("<kind both: {a: #, b: #} | one: # | other: {} | void: {}>");
        assertThat(plan.results().least()).isZero();
        assertThat(plan.writeChunkLimit()).isEqualTo(2);
    }

    @Test
    void aUnionOrAnArrayHasAtLeastWhatEveryMessageHas() {
        ChunkPlan plan = plan("""
                struct pair { /*@ddp eligible */ opaque a<9000>; /*@ddp eligible */ opaque b<9000>; };
                union either switch (bool kind) { case TRUE: pair both; case FALSE: /*@ddp eligible */ opaque one<9000>; };
                struct res { either chosen; pair all[3]; };
                """);

        assertThat(plan.results().member("chosen").least()).isEqualTo(1);
        assertThat(plan.results().member("all").least()).isEqualTo(6);
        assertThat(plan.results().member("all").isFixed()).isTrue();
    }

    @Test
    void whatIsEligibleOnlyInTheOtherDirectionIsLeftOut() {
        ChunkPlan plan = plan("""
                struct one { /*@ddp eligible as argument */ opaque data<9000>; };
                union either switch (bool kind) { case TRUE: one it; case FALSE: one *maybe; };
                struct res { either chosen; one all<5>; one *list; };
                """);

        assertThat(plan.results().isEmpty()).isTrue();
    }

    @Test
    void membersAreFoundByNameInStructsUnionsAndElements() {
        StreamOrder<EligibleItem> results = plan("""
                struct pair { /*@ddp eligible */ opaque a<9000>; /*@ddp eligible */ opaque b<9000>; };
                union either switch (bool kind) { case TRUE: pair both; case FALSE: /*@ddp eligible */ opaque one<9000>; };
                struct around { /*@ddp eligible */ opaque head<9000>; around *next; /*@ddp eligible */ opaque foot<9000>; };
                struct res { either chosen; pair all<3>; around list; };
                """).results();

        assertThat(shown(results.member("chosen").member("both").member("b"))).isEqualTo("#");
        assertThat(shown(results.member("chosen").member("one"))).isEqualTo("#");
        assertThat(shown(results.member("all").member("a"))).isEqualTo("#");
        assertThat(shown(results.member("list").member("foot"))).isEqualTo("#");
        assertThat(results.member("list").member("next").isEmpty()).isTrue();
    }

    @Test
    void itemsWithinAnItemFollowIt() {
        StreamOrder<String> inner = new StreamOrder.Item<>("inner", StreamOrder.none());

        assertThat(new StreamOrder.Item<>("outer", inner).items()).containsExactly("outer", "inner");
        assertThat(inner.items()).containsExactly("inner");
    }

    @Test
    void optionalItemsMayBeAbsentWhateverIsEligibleInThem() {
        ChunkPlan plan = plan("""
                struct blob { int a; opaque b<20000>; };
                struct one { /*@ddp eligible */ opaque data<9000>; };
                struct res { /*@ddp eligible */ blob *info; one *found; /*@ddp eligible */ opaque data<9000>; };
                """);

        assertThat(shown(plan.results())).isEqualTo("{info: maybe #, found: maybe {data: #}, data: #}");
        assertThat(plan.results().least()).isEqualTo(1);
        assertThat(plan.results().items()).extracting(EligibleItem::isPayload).containsExactly(false, true, true);
    }

    @Test
    void eachArgumentWithItemsIsAMember() {
        ChunkPlan plan = plan("""
                struct one { /*@ddp eligible as argument */ opaque data<9000>; };
                typedef one arg;
                """, "void GET(int first, one second, one third) = 1;");

        assertThat(shown(plan.arguments())).isEqualTo("{second: {data: #}, third: {data: #}}");
        assertThat(plan.readChunkLimit()).isEqualTo(2);
    }

    @Test
    void whatNeverHasAnyBytesIsNotEligible() {
        JavaModel meaning = meaning("""
                struct res { /*@ddp eligible */ opaque a[0]; /*@ddp eligible */ opaque b<0>; /*@ddp eligible */ int c[0];
                    /*@ddp eligible */ opaque d<9000>; };
                """, "res GET(int) = 1;");

        assertThat(shown(plan(meaning).results())).isEqualTo("{d: #}");
        assertThat(meaning.binding().payloadItems()).containsExactly(new Target.Item("res", "d"));
    }

    @Test
    void anArrayOfAnyLengthIsUncountedUnlessTheCallStatesItsLength() {
        String items = "struct one { /*@ddp eligible; size 4096 */ opaque data<>; }; struct res { one all<>; };";
        assertThat(UncountedResult.of(plan(items)))
                .extracting(UncountedResult::example)
                .containsExactly("in a reply where `results.all` has more elements than the call has destinations,"
                        + " `results.all[].data` of the others has no Write chunk");
        assertThat(uncounted(meaning(items, "/*@ddp write-chunks 16 */ res GET(int) = 1;")))
                .isEmpty();
        assertThat(uncounted(
                        "struct one { /*@ddp eligible */ opaque data<9>; one *next; }; struct res { one *list; };"))
                .isEqualTo("results.list");
        assertThat(uncounted(
                        "struct one { one *next; /*@ddp eligible */ opaque data<9>; }; struct res { one *list; };"))
                .isEqualTo("results.list");
        assertThat(uncounted(
                        "struct one { /*@ddp eligible */ opaque data<>; }; struct res { one all<5>; one *maybe; };"))
                .isEmpty();
    }

    @Test
    void sizesByIndexStateTheNumberOfElementsOfAnOutermostArrayOnly() {
        String item = "struct one { /*@ddp eligible; size args.lengths[i] */ opaque data<>; };"
                + "struct arg { unsigned int lengths<>; };";

        assertThat(uncounted(meaning(item + "struct res { one all<>; };", "res GET(arg) = 1;")))
                .isEmpty();
        assertThat(uncounted(meaning(
                        item
                                + "struct row { one cells<>; }; union maybe switch (int k) { case 1: row it; default: void; };"
                                + "struct res { maybe rows<7>; };",
                        "res GET(arg) = 1;")))
                .isEqualTo("results.rows[].it.cells");
    }

    private static String uncounted(String types) {
        return uncounted(meaning(types, "res GET(int) = 1;"));
    }

    /** The arrays whose results are not counted. */
    private static String uncounted(JavaModel meaning) {
        return UncountedResult.of(plan(meaning)).stream()
                .map(UncountedResult::array)
                .collect(Collectors.joining("; "));
    }

    private static ChunkPlan plan(String types) {
        return plan(types, "res GET(int) = 1;");
    }

    private static ChunkPlan plan(String types, String procedure) {
        return plan(meaning(types, procedure));
    }

    private static JavaModel meaning(String types, String procedure) {
        return Sources.meaning(
                types + "program P { /*@ddp port 20200 */ version V { " + procedure + " } = 1; } = 0x20000001;");
    }

    private static ChunkPlan plan(JavaModel meaning) {
        return Objects.requireNonNull(
                Objects.requireNonNull(meaning.binding().versions().get(new Target.Version("P", "V")))
                        .procedures()
                        .get("GET"));
    }

    /** An order on one line. */
    private static String shown(StreamOrder<EligibleItem> order) {
        if (order instanceof StreamOrder.Item) {
            return "#";
        } else if (order instanceof StreamOrder.Option) {
            return "maybe " + shown(order.content());
        } else if (order instanceof StreamOrder.Repetition<EligibleItem> repetition) {
            StreamOrder.Count count = repetition.count();
            String most = count.isBounded() ? String.valueOf(count.most()) : "";
            return count.least() + ".." + most + " of " + shown(repetition.element());
        } else if (order instanceof StreamOrder.Linked<EligibleItem> linked) {
            return shown(linked.before()) + " ... " + shown(linked.after());
        } else if (order instanceof StreamOrder.Choice<EligibleItem> choice) {
            return "<" + choice.discriminant() + " " + members(order, " | ") + ">";
        }
        return "{" + members(order, ", ") + "}";
    }

    private static String members(StreamOrder<EligibleItem> order, String between) {
        return order.members().stream()
                .map(each -> each.name() + ": " + shown(each.order()))
                .collect(Collectors.joining(between));
    }
}
