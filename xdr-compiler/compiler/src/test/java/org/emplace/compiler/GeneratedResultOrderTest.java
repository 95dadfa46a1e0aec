// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The order of eligible results in generated code, as an expression. What it does is shown in tests/codegen. */
class GeneratedResultOrderTest {

    private static final String ONE = "struct one { /*@ddp eligible */ opaque data<9000>; };";
    private static final String PAIR =
            "struct pair { /*@ddp eligible */ opaque a<9000>; int n; /*@ddp eligible */ opaque b<800>; };";

    private static final String DATA = "payload(0, \"%s\", (args, index) -> 9000, One::data)";

    private static final Pattern ORDER = Pattern.compile("\\.withWriteChunks\\([^,]+, (.*?)\\)\\);\\n", Pattern.DOTALL);

    @TempDir
    Path folder;

    @Test
    void itemsAreFoundByTheMembersThatLeadToThem() throws IOException {
        assertThat(order(ONE + "struct res { one it; };"))
                .isEqualTo("member(Res::it, " + DATA.formatted("it.data") + ")");
        assertThat(order(PAIR + "struct res { pair two; /*@ddp eligible */ hyper tail<100>; };"))
                .isEqualTo("<Integer, Res>sequence("
                        + "member(Res::two, <Integer, Pair>sequence("
                        + "payload(0, \"two.a\", (args, index) -> 9000, Pair::a), "
                        + "payload(1, \"two.b\", (args, index) -> 800, Pair::b))), "
                        + "payload(2, \"tail\", (args, index) -> 800, Res::tail))");
        assertThat(order("struct info { int n; opaque text<2000>; }; struct res { /*@ddp eligible */ info about; };"))
                .isEqualTo("encoded(\"about\", (args, index) -> 2008)");
    }

    @Test
    void typedefsAreSeenThroughUnlessTheyAreClasses() throws IOException {
        assertThat(order(ONE + "typedef one other; typedef other another; struct res { another it; };"))
                .isEqualTo("member(Res::it, " + DATA.formatted("it.data") + ")");
        assertThat(order(ONE + "/*@ddp value */ typedef one row<3>; struct res { row it; };"))
                .isEqualTo("member(Res::it, array(args -> 3, Row::value, " + DATA.formatted("it[].data") + "))");
        assertThat(order(ONE + "/*@ddp value */ typedef one res<3>;"))
                .isEqualTo("array(args -> 3, Res::value, " + DATA.formatted("[].data") + ")");
    }

    @Test
    void whatMayBeAbsentIsAnOption() throws IOException {
        assertThat(order(ONE + "struct res { one *it; };"))
                .isEqualTo("option(Res::it, " + DATA.formatted("it.data") + ")");
        assertThat(order(
                        "union maybe switch (bool there) { case TRUE: /*@ddp eligible */ opaque bytes<9000>; case FALSE: void; };"
                                + "struct res { maybe it; };"))
                .isEqualTo("option(Res::it, payload(0, \"it.bytes\", (args, index) -> 9000, Function.identity()))");
        assertThat(order("struct info { int n; opaque text<2000>; }; struct res { /*@ddp eligible */ info *about; };"))
                .isEqualTo("option(Res::about, encoded(\"about\", (args, index) -> 2008))");
    }

    @Test
    void anArrayHasTheNumberOfItsElements() throws IOException {
        assertThat(order(ONE + "struct res { one all[2]; };"))
                .isEqualTo("fixedArray(2, Res::all, " + DATA.formatted("all[].data") + ")");
        assertThat(order(ONE + "struct res { one all<5>; };"))
                .isEqualTo("array(args -> 5, Res::all, " + DATA.formatted("all[].data") + ")");
        assertThat(order(ONE + "struct res { one all<>; };"))
                .isEqualTo("array(args -> Integer.MAX_VALUE, Res::all, " + DATA.formatted("all[].data") + ")");
        assertThat(order(ONE + "struct res { one all<0x7fffffff>; };"))
                .isEqualTo("array(args -> Integer.MAX_VALUE, Res::all, " + DATA.formatted("all[].data") + ")");
        assertThat(order(ONE + "typedef one row<3>; struct res { row rows[2]; };"))
                .isEqualTo("fixedArray(2, Res::rows, array(args -> 3, Function.identity(), "
                        + DATA.formatted("rows[][].data") + "))");
    }

    @Test
    void aListIsAnArrayUnlessItemsFollowItsLink() throws IOException {
        assertThat(
                        order(
                                "struct entry { /*@ddp eligible */ opaque data<9000>; entry *next; }; struct res { entry *list; };"))
                .isEqualTo("array(args -> Integer.MAX_VALUE, Res::list, "
                        + "payload(0, \"list[].data\", (args, index) -> 9000, Entry::data))");
        assertThat(order(
                        "struct entry { /*@ddp eligible */ opaque head<9000>; entry *next; /*@ddp eligible */ opaque foot<800>; };"
                                + "struct res { entry list; };"))
                .isEqualTo("linked(args -> Integer.MAX_VALUE, Res::list, "
                        + "payload(0, \"list[].head\", (args, index) -> 9000, Entry::head), "
                        + "payload(1, \"list[].foot\", (args, index) -> 800, Entry::foot))");
        assertThat(
                        order(
                                "struct entry { entry *next; /*@ddp eligible */ opaque foot<800>; }; struct res { entry *list; };"))
                .isEqualTo("linked(args -> Integer.MAX_VALUE, Res::list, none(), "
                        + "payload(0, \"list[].foot\", (args, index) -> 800, Entry::foot))");
        assertThat(
                        order(
                                "struct note { int id; note *next; }; struct res { /*@ddp eligible; size 4000 */ note *list; };"))
                .isEqualTo(
                        "option(each -> each.list().stream().findFirst(), encoded(\"list\", (args, index) -> 4000))");
    }

    @Test
    void aUnionHasItsArmsAndNothingIfOneHasNoItems() throws IOException {
        assertThat(order(PAIR
                        + "union res switch (int kind) { case 0: pair both; case 1: /*@ddp eligible */ opaque one<70>;"
                        + " default: int other; };"))
                .isEqualTo("<Integer, Res>choice("
                        + "arm(Res.Case0.class, member(Res.Case0::both, <Integer, Pair>sequence("
                        + "payload(0, \"both.a\", (args, index) -> 9000, Pair::a), "
                        + "payload(1, \"both.b\", (args, index) -> 800, Pair::b)))), "
                        + "arm(Res.Case1.class, payload(2, \"one\", (args, index) -> 70, Res.Case1::one)), none())");
        assertThat(order(
                        "enum e { A = 0, B = 1 }; union res switch (e kind) { case A: /*@ddp eligible */ opaque one<70>;"
                                + " case B: /*@ddp eligible */ opaque two<80>; };"))
                .isEqualTo("<Integer, Res>choice("
                        + "arm(Res.A.class, payload(0, \"one\", (args, index) -> 70, Res.A::one)), "
                        + "arm(Res.B.class, payload(1, \"two\", (args, index) -> 80, Res.B::two)))");
    }

    @Test
    void aSizeIsConstantOrThatOfAnArgument() throws IOException {
        assertThat(order(
                        "struct res { /*@ddp eligible; size args.count + 4 */ opaque some<>; /*@ddp eligible */ opaque any<>; };"
                                + "struct arg { unsigned int count; };",
                        "res GET(arg) = 1;"))
                .isEqualTo("<Arg, Res>sequence(payload(0, \"some\", (args, index) -> args.count() + 4, Res::some), "
                        + "payload(1, \"any\", (args, index) -> UNBOUNDED, Res::any))");
        assertThat(order("struct res { /*@ddp eligible */ hyper large<500000000>; };"))
                .isEqualTo("payload(0, \"large\", (args, index) -> 4000000000L, Res::large)");
    }

    private static final String SIZED = "struct sized { /*@ddp eligible; size args.lengths[i] */ opaque bytes<9000>; };"
            + "struct arg { unsigned int lengths<>; };";

    private static final String BY_ELEMENT = "payload(0, \"%s\", P1::getBytesSize, Sized::bytes)";

    @Test
    void sizesByElementTellTheNumberOfElements() throws IOException {
        String get = "res GET(arg) = 1;";
        assertThat(order(SIZED + "struct res { sized all<>; };", get))
                .isEqualTo("arrayBySize(args -> args.lengths().size(), Res::all, " + BY_ELEMENT.formatted("all[].bytes")
                        + ")");
        assertThat(order(SIZED + "struct res { sized all[3]; };", get))
                .isEqualTo("fixedArray(3, Res::all, " + BY_ELEMENT.formatted("all[].bytes") + ")");
        assertThat(order(SIZED + "struct entry { sized it; entry *next; }; struct res { entry *all; };", get))
                .isEqualTo("arrayBySize(args -> args.lengths().size(), Res::all, member(Entry::it, "
                        + BY_ELEMENT.formatted("all[].it.bytes") + "))");
        assertThat(order(SIZED + "struct entry { entry *next; sized it; }; struct res { entry *all; };", get))
                .isEqualTo("linkedBySize(args -> args.lengths().size(), Res::all, none(), member(Entry::it, "
                        + BY_ELEMENT.formatted("all[].it.bytes") + "))");
        assertThat(order(SIZED + "struct row { sized cells<4>; }; struct res { row all<>; };", get))
                .isEqualTo("arrayBySize(args -> args.lengths().size(), Res::all, array(args -> 4, Row::cells, "
                        + BY_ELEMENT.formatted("all[].cells[].bytes") + "))");
    }

    @Test
    void whereOnlySomeSizesAreByElementTheirNumberIsKnown() throws IOException {
        String get = "res GET(arg) = 1;";
        assertThat(order(
                        SIZED
                                + "struct el { sized it; /*@ddp eligible */ opaque more<70>; }; struct res { el all<6>; };",
                        get))
                .isEqualTo("array(args -> 6, args -> args.lengths().size(), Res::all, <Arg, El>sequence(member(El::it, "
                        + BY_ELEMENT.formatted("all[].it.bytes")
                        + "), payload(1, \"all[].more\", (args, index) -> 70, El::more)))");
        assertThat(order(
                        SIZED
                                + "struct el { sized it; el *next; /*@ddp eligible */ opaque more<70>; }; struct res { el *all; };",
                        get))
                .isEqualTo("linked(args -> Integer.MAX_VALUE, args -> args.lengths().size(), Res::all, member(El::it, "
                        + BY_ELEMENT.formatted("all[].it.bytes")
                        + "), payload(1, \"all[].more\", (args, index) -> 70, El::more))");
    }

    @Test
    void resultsOfOperationsEndWithTheFirstThatFails() throws IOException {
        String types = "enum kind { READ = 1, DROP = 2 }; enum status { OK = 0, BROKEN = 1 };"
                + "union op switch (kind what) { case READ: unsigned int count; case DROP: void; };"
                + "union got switch (status st) { case OK: /*@ddp eligible; size args.ops[i].count */ opaque data<>;"
                + " default: void; };"
                + "union result switch (kind what) { case READ: got read; case DROP: status dropped; };"
                + "struct call { op ops<>; }; struct reply { status outcome; result results<>; };";
        assertThat(
                        order(
                                types,
                                "/*@ddp operations args.ops, results.results, success OK; reply-size 1024 */ reply GET(call) = 1;"))
                .isEqualTo("operations(args -> args.ops().size(), Reply::results, <Call, Result>choice("
                        + "arm(Result.Read.class, member(Result.Read::read, <Call, Got>choice("
                        + "arm(Got.Ok.class, payload(0, \"results[].read.data\", P1::getDataSize, Got.Ok::data)), none()))), "
                        + "none()))");
    }

    private String order(String types) throws IOException {
        return order(types, "res GET(int) = 1;");
    }

    private String order(String types, String procedure) throws IOException {
        Path file = Files.writeString(
                folder.resolve("test.x"),
                types + "program P { /*@ddp port 20200 */ version V { " + procedure + " } = 1; } = 0x20000001;");
        CompileResult result = XdrCompiler.compile(
                new CompileRequest(List.of(new CompileRequest.Source(file, "test.x")), "org.example"));
        assertThat(result.diagnostics()).filteredOn(Diagnostic::isError).isEmpty();
        String code = result.generated().values().stream().collect(Collectors.joining("\n"));
        Matcher order = ORDER.matcher(code);
        assertThat(order.find()).as(code).isTrue();
        return order.group(1).strip().replaceAll("\\s+", " ").replace("( ", "(").replace("ResultOrder.", "");
    }
}
