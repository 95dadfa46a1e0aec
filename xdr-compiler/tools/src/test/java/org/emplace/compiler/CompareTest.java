// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.emplace.compiler.compare.Comparison;
import org.emplace.compiler.compare.Comparison.Change;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.source.SourceFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class CompareTest {

    private static final String OLD = """
            const LARGEST = 64;
            enum kind { FILE = 1, FOLDER = 2 };
            typedef opaque handle<LARGEST>;
            struct range { hyper offset; unsigned int count; };
            struct data { bool eof; /*@ddp eligible; size args.count */ opaque bytes<>; };
            union result switch (kind is) { case FILE: data file; default: void; };
            program P {
                /*@ddp port 20200 */
                version V {
                    result READ(range) = 1;
                    void DROP(handle) = 2;
                } = 1;
            } = 0x20000001;
            """;

    @Test
    void equalProtocolsHaveNoChanges() {
        assertThat(changes(OLD)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            void DROP(handle) = 2;            | void DROP(handle) = 2; void NEW(void) = 3; | COMPATIBLE       | procedure 3 added
            void DROP(handle) = 2;            | ''                                         | WIRE_BREAKING    | procedure 2 removed
            DROP(handle) = 2                  | FORGET(handle) = 2                         | API_BREAKING     | void drop(org.emplace.xdr.XdrOpaque, org.emplace.rpc.ServerCall)
            LARGEST = 64                      | LARGEST = 128                              | WIRE_BREAKING    | bound raised from 64 to 128
            hyper offset; unsigned int count; | unsigned int count; hyper offset;          | WIRE_BREAKING    | members reordered
            hyper offset;                     | hyper start;                               | API_BREAKING     | no longer declares long offset()
            hyper offset;                     | int offset;                                | WIRE_BREAKING    | was hyper, is int
            hyper offset;                     | hyper offset; int flags;                   | WIRE_BREAKING    | members added: flags
            FOLDER = 2                        | FOLDER = 2, LINK = 3                       | WIRE_BREAKING    | value LINK = 3 added
            FOLDER = 2                        | DIRECTORY = 2                              | API_BREAKING     | no longer declares FOLDER
            default: void;                    | case FOLDER: int number; default: void;    | WIRE_BREAKING    | is no longer void
            default: void;                    | case FOLDER: void; default: void;          | API_BREAKING     | the class no longer exists
            eligible; size args.count         | name bytes                                 | BINDING_BREAKING | no longer eligible
            size args.count                   | size 4096                                  | BINDING_BREAKING | largest size
            port 20200                        | port 20300                                 | BINDING_BREAKING | port changed from 20200 to 20300
            port 20200                        | port dynamic                               | BINDING_BREAKING | to the port that rpcbind reports
            port 20200                        | port 20200; inline-threshold 4096          | COMPATIBLE       | recommended inline threshold changed
            port 20200                        | port 20200; max-message 5000000            | BINDING_BREAKING | the length of the largest message changed
            """)
    void eachChangeHasItsEffect(String old, String now, String effect, String what) {
        List<Change> changes = changes(OLD.replace(old, now));

        if (effect.isEmpty()) {
            assertThat(changes).isEmpty();
        } else {
            assertThat(changes).anySatisfy(change -> {
                assertThat(change.effect()).isEqualTo(Change.Effect.valueOf(effect));
                assertThat(change.what()).contains(what);
            });
        }
        assertThat(Comparison.isCompatible(changes)).isEqualTo(effect.isEmpty() || effect.equals("COMPATIBLE"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            DROP(handle) = 2 | FORGET(handle) = 2 | renamed to FORGET
            hyper offset;    | hyper start;       | renamed to start
            FOLDER = 2       | DIRECTORY = 2      | renamed from FOLDER to DIRECTORY
            """)
    void renamingChangesNothingOnTheWire(String old, String now, String what) {
        assertThat(changes(OLD.replace(old, now))).anySatisfy(change -> {
            assertThat(change.effect()).isEqualTo(Change.Effect.COMPATIBLE);
            assertThat(change.what()).contains(what);
        });
    }

    /** That code has to be changed, but no message is another. */
    private static void assertBreaksJavaAlone(List<Change> changes) {
        assertThat(changes)
                .noneMatch(change -> change.effect().compareTo(Change.Effect.API_BREAKING) < 0)
                .anyMatch(change -> change.effect() == Change.Effect.API_BREAKING);
    }

    @Test
    void aNameClauseThatKeepsTheNamesInJavaBreaksNothing() {
        assertThat(changes(OLD.replace("struct range", "/*@ddp name Range */ struct extent")
                        .replace("READ(range)", "READ(extent)")))
                .isNotEmpty()
                .allMatch(change -> change.effect() == Change.Effect.COMPATIBLE);
    }

    @Test
    void renamingAMemberAroundAnEligibleItemChangesNothingOnTheWire() {
        String now = OLD.replace("data file", "data contents")
                .replace("opaque bytes<>", "opaque octets<>")
                .replace("unsigned int count", "unsigned int length")
                .replace("args.count", "args.length");

        assertBreaksJavaAlone(changes(now));
    }

    @Test
    void bindingsAreComparedDespiteRenaming() {
        String now = OLD.replace("program P", "program Q")
                .replace("version V", "version W")
                .replace("result READ", "result GET")
                .replace("/*@ddp eligible; size args.count */", "");

        assertThat(changes(now))
                .anySatisfy(change -> assertThat(change.what()).isEqualTo("result file.bytes is no longer eligible"));
    }

    @Test
    void anotherPrefixChangesNamesInJavaAlone() {
        assertThat(changes(OLD.replace("port 20200", "port 20200; prefix OLD_")))
                .isEmpty();
        assertBreaksJavaAlone(changes(OLD.replace("port 20200", "port 20200; prefix RE")));
    }

    @Test
    void anEnumThatIsOpenedChangesSourcesAlone() {
        String open = OLD.replace("enum kind", "/*@ddp open */ enum kind");

        assertBreaksJavaAlone(changes(open));
        assertThat(changes(open)).anySatisfy(change -> assertThat(change.what()).isEqualTo("is now open"));
        assertBreaksJavaAlone(changes(OLD, open));
    }

    @Test
    void anOpenEnumMayGrow() {
        String open = OLD.replace("enum kind", "/*@ddp open */ enum kind");
        String grown = open.replace("FOLDER = 2", "FOLDER = 2, LINK = 3");

        assertThat(changes(grown, open)).singleElement().satisfies(change -> {
            assertThat(change.effect()).isEqualTo(Change.Effect.COMPATIBLE);
            assertThat(change.what()).isEqualTo("value LINK = 3 added");
        });
        assertBreaksJavaAlone(changes(open, grown));
    }

    @Test
    void anOpenEnumNeedsTheDefault() {
        String union =
                "/*@ddp open */ enum kind { FILE = 1 }; union u switch (kind is) { case FILE: int a; default: void; };";

        assertThat(changes(union.replace("default: void;", ""), union))
                .anySatisfy(change -> assertThat(change.effect()).isEqualTo(Change.Effect.WIRE_BREAKING));
    }

    @Test
    void aTypedefThatBecomesATypeChangesSourcesAlone() {
        String value = OLD.replace("typedef opaque", "/*@ddp value */ typedef opaque");

        assertBreaksJavaAlone(changes(value));
        assertThat(changes(value))
                .anySatisfy(change -> assertThat(change.what()).isEqualTo("is now a type of its own"));
        assertBreaksJavaAlone(changes(OLD, /* old= */ value));
    }

    @Test
    void otherNamesOfBitsChangeSourcesAlone() {
        String bits = "enum bit { ONE = 1 }; /*@ddp bits */ typedef unsigned int mask<>; struct s { mask m; };";

        String named = bits.replace("bits", "bits bit");
        assertThat(changes(named, bits)).isNotEmpty().allMatch(change -> change.effect() == Change.Effect.COMPATIBLE);
        assertBreaksJavaAlone(changes(bits, named));
        assertBreaksJavaAlone(changes(bits.replace("/*@ddp bits */", ""), bits));
    }

    @Test
    void anotherNameOfAnEnumeratorIsComparedToo() {
        String old = OLD + "enum grade { GOOD = 1, FINE = 1 };";

        List<Change> changes = changes(old.replace(", FINE = 1", ""), old);
        assertBreaksJavaAlone(changes);
        assertThat(changes).anySatisfy(change -> assertThat(change.what()).isEqualTo("name FINE of value 1 removed"));
    }

    @Test
    void aNewPortDoesNotAffectClientsThatAskRpcbind() {
        assertThat(changes(OLD.replace("port 20200", "port 20300"), OLD.replace("port 20200", "port dynamic")))
                .singleElement()
                .satisfies(change -> {
                    assertThat(change.effect()).isEqualTo(Change.Effect.COMPATIBLE);
                    assertThat(change.what()).isEqualTo("port set to 20300");
                });
    }

    @Test
    void anotherPortAndThresholdChangeNoClass() {
        assertThat(changes(OLD.replace("port 20200", "port dynamic; inline-threshold 4096")))
                .extracting(Change::effect)
                .containsExactlyInAnyOrder(Change.Effect.BINDING_BREAKING, Change.Effect.COMPATIBLE);
    }

    @Test
    void theThresholdOfCallsWithoutChunksLimitsThem() {
        String backward = "program P { /*@ddp direction backward */ version V { void TELL(int) = 1; } = 1; } = 1;";
        assertThat(changes(backward, backward.replace("backward */", "backward; inline-threshold 16384 */")))
                .singleElement()
                .extracting(Change::effect)
                .isEqualTo(Change.Effect.BINDING_BREAKING);
    }

    @Test
    void compiledCodeKeepsTheValueOfARemovedConstant() {
        assertThat(changes(OLD.replace("LARGEST", "MOST"))).anySatisfy(change -> {
            assertThat(change.what()).isEqualTo("no longer declares int LARGEST");
            assertThat(change.why())
                    .isEqualTo("code that uses it no longer compiles; compiled code keeps the old value");
        });
    }

    @Test
    void boundsAreComparedAtAnyDepth() {
        String old = """
                typedef string name<16>;
                typedef name names<8>;
                struct OLD { struct { names *list; } inner; };
                program P { version V { void DROP(OLD) = 1; } = 1; } = 1;
                """;
        for (String now :
                List.of(old.replace("16", "17"), old.replace("16", "17").replace("OLD", "NEW"))) {
            assertThat(Comparison.of(Sources.meaning(old), Sources.meaning(now)))
                    .anySatisfy(change -> {
                        assertThat(change.effect()).isEqualTo(Change.Effect.WIRE_BREAKING);
                        assertThat(change.what()).contains("bound raised from 16 to 17");
                    });
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            entry                              | item
            string name<9>                     | opaque name<9>
            handle *only;                      | handle only<1>;
            bool flag                          | yesno flag
            int one; int two;                  | struct { int one; int two; } both;
            default: void;                     | case NO: void;
            void SET(int, bool) = 2            | void SET(both) = 2
            number n                           | unsigned int n
            """)
    void equalEncodingsBreakNothingOnTheWire(String old, String now) {
        String before = """
                typedef opaque handle<8>;
                typedef unsigned int number;
                enum yesno { NO = 0, YES = 1 };
                union perhaps switch (yesno there) { case YES: int it; default: void; };
                struct both { int a; bool b; };
                struct entry { string name<9>; entry *next; };
                struct all { entry *list; handle *only; bool flag; int one; int two; perhaps it; number n<3>; };
                program P { version V { all GET(void) = 1; void SET(int, bool) = 2; } = 1; } = 1;
                """;
        String after = before.replace(old, now);

        assertThat(after).isNotEqualTo(before);
        assertThat(Comparison.of(Sources.meaning(before), Sources.meaning(after)))
                .noneMatch(change -> change.effect() == Change.Effect.WIRE_BREAKING);
    }

    @Test
    void programsOfOneNumberAreComparedByTheirVersions() {
        String both = """
                program PMAP { version TWO { int SET(int) = 1; } = 2; } = 100000;
                program RPCB { version THREE { int SET(int) = 1; } = 3; } = 100000;
                """;
        assertThat(changes(both, both)).isEmpty();
        assertThat(changes(both.replace("int SET(int) = 1; } = 3", "int SET(hyper) = 1; } = 3"), both))
                .filteredOn(change -> change.effect() == Change.Effect.WIRE_BREAKING)
                .singleElement()
                .satisfies(change -> assertThat(change.what()).startsWith("argument: was int"));
    }

    @Test
    void aNewConstantIsAChangeThatBreaksNothing() {
        assertThat(changes(OLD + "const MORE = 1;")).singleElement().satisfies(change -> {
            assertThat(change.effect()).isEqualTo(Change.Effect.COMPATIBLE);
            assertThat(change.what()).isEqualTo("constant added");
        });
    }

    @Test
    void aBoundIsNotAnotherEncoding() {
        assertThat(changes(OLD.replace("LARGEST = 64", "LARGEST = 65")))
                .filteredOn(change -> change.effect() == Change.Effect.WIRE_BREAKING)
                .isNotEmpty()
                .allMatch(change -> change.why().contains("shorter values are encoded alike"));
    }

    @Test
    void aLimitOfChunksMayBeTakenAway() {
        String limited = """
                struct piece { /*@ddp eligible */ opaque data<>; };
                typedef piece pieces<>;
                program P { version V { /*@ddp write-chunks 16 */ pieces GET(void) = 1; } = 1; } = 0x20000300;
                """;
        assertThat(changes(limited.replace("/*@ddp write-chunks 16 */", ""), limited))
                .extracting(Change::what)
                .containsExactly("limit of Write chunks changed from 16 to none");
    }

    private static List<Change> changes(String now) {
        return changes(now, OLD);
    }

    /** Definitions of which one is renamed while another, inside it, changes: only the change of that other one matters. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            struct s { union switch (t k) { case A: opaque c[4]; case B: opaque d[12]; } asset; };  | union code switch (t k) { case A: opaque c[4]; case B: opaque d[12]; }; struct s { code asset; };
            union old switch (t k) { case A: int c; default: void; }; struct s { old asset; };      | union code switch (t k) { case A: int c; default: void; }; struct s { code asset; };
            struct old { t kind; int x; }; struct s { old asset; };                                 | struct code { t kind; int x; }; struct s { code asset; };
            struct old { t kind<5>; t other[2]; t *more; }; struct s { old asset<>; };              | struct code { t kind<5>; t other[2]; t *more; }; struct s { code asset<>; };
            typedef t old; struct s { old asset; };                                                 | typedef t code; struct s { code asset; };
            struct in { t kind; }; struct old { in a; in b; }; struct s { old asset; };             | struct inner { t kind; }; struct code { inner a; inner b; }; struct s { code asset; };
            struct old { t kind; old *next; }; struct s { old asset; };                             | struct code { t kind; code *next; }; struct s { code asset; };
            struct s { struct { t kind; int x; } asset; };                                          | struct s { t kind; int x; };
            """)
    void aRenamedTypeIsEncodedAlikeWhenAnEnumInItGrows(String old, String now) {
        String program = " program P { version V { s GET(s) = 1; } = 1; } = 0x20000300;";
        String before = "enum t { N = 0, A = 1, B = 2 }; " + old + program;
        String after = "enum t { N = 0, A = 1, B = 2, POOL = 3 }; " + now + program;

        assertThat(Comparison.of(Sources.meaning(before), Sources.meaning(after)))
                .filteredOn(change -> change.effect() == Change.Effect.WIRE_BREAKING)
                .extracting(Change::what)
                .containsExactly("value POOL = 3 added");
    }

    @Test
    void aRenamedTypeIsEncodedAlikeWhenAStructInItGrows() {
        String program = " program P { version V { s GET(s) = 1; } = 1; } = 0x20000300;";
        String before = "struct t { int a; }; struct old { t x; int y; }; struct s { old asset; };" + program;
        String after = "struct t { int a; int b; }; struct code { t x; int y; }; struct s { code asset; };" + program;

        assertThat(Comparison.of(Sources.meaning(before), Sources.meaning(after)))
                .filteredOn(change -> change.effect() == Change.Effect.WIRE_BREAKING)
                .extracting(Change::where)
                .containsExactly("t");
    }

    @Test
    void theEnumOfAUnionWithoutADefaultMayBeAnotherWithTheSameCases() {
        String program = " program P { version V { s GET(s) = 1; } = 1; } = 0x20000300;";
        String before = "enum t { A = 1, B = 2 }; union s switch (t k) { case A: int c; case B: void; };" + program;
        String after =
                "enum u { C = 1, D = 2, E = 3 }; union s switch (u k) { case C: int c; case D: void; };" + program;

        assertThat(Comparison.of(Sources.meaning(before), Sources.meaning(after)))
                .noneMatch(change -> change.effect() == Change.Effect.WIRE_BREAKING);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            struct code { hyper x; }; struct s { code asset; };                            | was old, is code
            enum code { A = 1, C = 3 }; struct s { code asset; };                          | was old, is code
            union code switch (int k) { case 1: int x; }; struct s { code asset; };        | was old, is code
            """)
    void aTypeThatIsReplacedByAnotherEncodingBreaksMessages(String now, String what) {
        String program = " program P { version V { s GET(s) = 1; } = 1; } = 0x20000300;";
        String before = "struct old { int x; }; struct s { old asset; };" + program;

        assertThat(Comparison.of(Sources.meaning(before), Sources.meaning(now + program)))
                .filteredOn(change -> change.effect() == Change.Effect.WIRE_BREAKING)
                .extracting(Change::what)
                .contains(what);
    }

    private static final String USED = " program P { version V { s GET(s) = 1; } = 1; } = 0x20000300;";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            struct e { int a; };                              | union e switch (int k) { case 1: int b; };
            struct e { hyper a; };                            | enum e { A = 1 };
            enum e { A = 1 };                                 | struct e { hyper a; };
            union e switch (int k) { case 1: int b; };        | struct e { int a; };
            struct t { int a; }; struct e { t x; };           | struct t { int a; }; union e switch (int v) { case 0: t x; };
            """)
    void aTypeOfTheSameNameButAnotherKindBreaksMessages(String old, String now) {
        String holder = " struct s { e x; };" + USED;

        assertThat(changes(now + holder, old + holder))
                .filteredOn(change -> change.effect() == Change.Effect.WIRE_BREAKING)
                .extracting(Change::what)
                .containsExactly("is now another kind of type");
    }

    /** Names that now mean something else, and types that no message of both has. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            struct s { int x; };                                       | struct s_v1 { int x; }; struct s { int x; int y; };        | s_v1 GET(s_v1) = 1; s GET2(s) = 2;
            struct s { int x; }; struct b { hyper y; };                | struct b { int x; }; struct s { hyper y; };                | b GET(b) = 1;
            struct a { int x; }; struct b { hyper x; }; struct s { a p; b q; }; | struct b { int x; }; struct a { hyper x; }; struct s { b p; a q; }; | s GET(s) = 1;
            union a switch (int k) { case 1: int x; }; struct b { int k; }; struct s { a p; b q<>; }; | union b switch (int k) { case 1: int x; }; struct a { int k; }; struct s { b p; a q<>; }; | s GET(s) = 1;
            struct a { int x; }; struct s { a p; };                    | struct a { hyper x; }; struct s { int p; };                | s GET(s) = 1;
            struct b { int x; }; struct s { b p; hyper y; };           | struct s { int x; }; struct b { s p; hyper y; };           | b GET(b) = 1;
            struct b { int x; }; struct s { b p<>; hyper y; };         | struct s { int x; }; struct b { s p<>; hyper y; };         | b GET(b) = 1;
            struct b { int x; }; union s switch (int k) { case 1: b p; }; | struct s { int x; }; union b switch (int k) { case 1: s p; }; | b GET(b) = 1;
            enum e { A = -1, B = 2 }; struct s { e x; };               | enum f { A = -1, B = 2 }; struct s { f x; };               | s GET(s) = 1;
            union old switch (int k) { case 1: opaque a<4>; case 2: opaque b<8>; }; struct s { old o; } ; | union now switch (int k) { case 2: opaque b<8>; case 1: opaque a<4>; }; struct s { now o; }; | s GET(s) = 1;
            enum k { A = 0, B = 1 }; union old switch (k is) { case A: int x; default: void; }; struct s { old o; }; | enum k { A = 0, B = 1 }; union now switch (k is) { case A: int x; case B: void; }; struct s { now o; }; | s GET(s) = 1;
            """)
    void whatNoMessageHasBreaksNone(String old, String now, String procedures) {
        List<Change> changes = changes(now + USED.replace("s GET(s) = 1;", procedures), old + USED);

        assertThat(changes).isNotEmpty().noneMatch(change -> change.effect().compareTo(Change.Effect.API_BREAKING) < 0);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            struct extra { int v; };        | struct extra { int v; int w; };
            struct extra { int v; };        | struct extra { hyper v; };
            typedef opaque extra<4>;        | typedef opaque extra<8>;
            """)
    void opaqueDataMayHoldWhatNoProcedureHas(String old, String now) {
        String holder = " struct s { int x; opaque ext<>; };" + USED;

        assertThat(changes(now + holder, old + holder))
                .filteredOn(change -> change.effect() == Change.Effect.WIRE_BREAKING)
                .isNotEmpty()
                .allSatisfy(change -> assertThat(change.why()).contains("opaque data may hold it"));
    }

    /** Each pair is encoded alike, but a name is now that of something else. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            enum e { A = 1, B = 2 }; struct s { e x; };                | enum e { B = 1, A = 2 }; struct s { e x; };                | s GET(s) = 1; | s GET(s) = 1;
            enum e { A = 1, B = 2 }; struct s { e x; };                | enum e { C = 1, A = 2 }; struct s { e x; };                | s GET(s) = 1; | s GET(s) = 1;
            /*@ddp open */ enum e { A = 1 }; struct s { e x; };        | /*@ddp open */ enum e { A = 2 }; struct s { e x; };        | s GET(s) = 1; | s GET(s) = 1;
            enum e { A = 1, B = 2 }; struct s { e x; };                | enum f { B = 1, A = 2 }; struct s { f x; };                | s GET(s) = 1; | s GET(s) = 1;
            struct s { int a; int b; };                                | struct s { int c; int a; };                                | s GET(s) = 1; | s GET(s) = 1;
            struct m { int a; int b; }; struct s { m x<>; };           | struct n { int b; int a; }; struct s { n x<>; };           | s GET(s) = 1; | s GET(s) = 1;
            struct m { int a; int b; };                                | struct n { int b; int a; };                                | m GET(m) = 1; | n GET(n) = 1;
            struct m { int a; int b; };                                | struct i { int b; int a; }; struct n { i all; };           | m GET(m) = 1; | n GET(n) = 1;
            struct i { int a; int b; }; struct m { i all; };           | struct n { int b; int a; };                                | m GET(m) = 1; | n GET(n) = 1;
            struct i { int a; int b; }; struct m { i all; int c; };    | struct m { int b; int a; int c; };                         | m GET(m) = 1; | m GET(m) = 1;
            union s switch (int k) { case 1: int a; case 2: int b; };  | union s switch (int k) { case 1: int b; case 2: int a; };  | s GET(s) = 1; | s GET(s) = 1;
            union s switch (int k) { case 1: int a; default: int b; }; | union s switch (int k) { case 1: int b; default: int a; }; | s GET(s) = 1; | s GET(s) = 1;
            struct s { int x; };                                       | struct s { int x; };                                       | s GET(s) = 1; s PUT(s) = 2; | s PUT(s) = 1; s GET(s) = 2;
            struct s { int x; };                                       | struct s { int x; };                                       | s GET(int from, int to) = 1; | s GET(int to, int from) = 1;
            struct s { int x; };                                       | struct s { int x; }; struct m { int b; int a; };           | s GET(int a, int b) = 1; | s GET(m) = 1;
            struct s { int x; }; struct m { int b; int a; };           | struct s { int x; };                                       | s GET(m) = 1; | s GET(int a, int b) = 1;
            struct m { int a; int b; }; struct n { int a; int c; };    | struct m { int a; int b; }; struct n { int a; int c; };    | m GET(m x, int c) = 1; | m GET(int b, n y) = 1;
            """)
    void aNameThatMovesBreaksMessages(String old, String now, String procedures, String others) {
        String in = " program P { version V { %s } = 1; } = 0x20000300;";

        assertThat(changes(now + in.formatted(others), old + in.formatted(procedures)))
                .filteredOn(change -> change.effect() == Change.Effect.WIRE_BREAKING)
                .isNotEmpty()
                .allSatisfy(change -> assertThat(change.why()).contains("mean different things"));
    }

    /** Whatever structs hold what a message has. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            data PUT(data at, int count) = 1                      | data PUT(whole) = 1
            data PUT(whole) = 1                                     | data PUT(data at, int count) = 1
            data PUT(pair at, int c) = 1                          | data PUT(int a, last at) = 1
            /*@ddp reply-size args.count */ data PUT(whole) = 1     | /*@ddp reply-size args.count */ data PUT(data at, int count) = 1
            /*@ddp reply-size args.count */ data PUT(whole) = 1     | /*@ddp reply-size args.in.count */ data PUT(deeper) = 1
            data GET(whole) = 1                                     | data GET(flat) = 1
            whole GET(void) = 1                                     | flat GET(void) = 1
            ways GET(void) = 1                                      | others GET(void) = 1
            """)
    void dataMayMoveIntoStructs(String old, String now) {
        String types = """
                struct data { /*@ddp eligible; size 9999 */ opaque bytes<>; };
                struct whole { data at; int count; };
                struct flat { /*@ddp eligible; size 9999 */ opaque bytes<>; int count; };
                struct deeper { data at; struct { int count; } in; };
                struct pair { int a; int b; };
                struct last { int b; int c; };
                union ways switch (int way) { case 1: data all; default: whole some<>; };
                union others switch (int way) { case 1: /*@ddp eligible; size 9999 */ opaque all<>; default: flat some<>; };
                program P { /*@ddp port 20200 */ version V { %s; } = 1; } = 0x20000300;
                """;

        assertThat(changes(types.formatted(now), types.formatted(old)))
                .anySatisfy(change -> assertThat(change.what()).endsWith("encoded alike"))
                .noneMatch(change -> change.effect().compareTo(Change.Effect.API_BREAKING) < 0);
    }

    @Test
    void anItemThatIsAddedWhileArgumentsMoveIntoAStructIsFound() {
        String types =
                "struct data { opaque bytes<>; }; struct whole { /*@ddp eligible */ opaque bytes<>; hyper count; };"
                        + " program P { /*@ddp port 20200 */ version V { void PUT(%s) = 1; } = 1; } = 0x20000300;";

        assertThat(changes(types.formatted("whole"), types.formatted("data, hyper")))
                .anySatisfy(change -> {
                    assertThat(change.effect()).isEqualTo(Change.Effect.BINDING_BREAKING);
                    assertThat(change.what()).isEqualTo("argument bytes is now eligible");
                });
    }

    @Test
    void theBoundOfAnArgumentThatMovesIntoAStructIsCompared() {
        String types =
                "struct m { int a; string b<16>; }; program P { version V { void PUT(%s) = 1; } = 1; } = 0x20000300;";

        assertThat(changes(types.formatted("m"), types.formatted("int a, string b<8>")))
                .anySatisfy(change -> assertThat(change.what()).contains("is 1, bound raised from 8 to 16"));
    }

    @Test
    void thePlacesOfArmsMayBeJoinedOrSplit() {
        String old = "union s switch (int k) { case 1: case 2: int a; };" + USED;
        String now = "union s switch (int k) { case 1: int a; case 2: int b; };" + USED;

        assertThat(changes(now, old)).noneMatch(change -> change.effect() == Change.Effect.WIRE_BREAKING);
    }

    @ParameterizedTest
    @MethodSource("specifications")
    void aSpecificationHasNoChangesToItself(Path path) throws IOException {
        JavaModel meaning =
                Sources.meaning(List.of(SourceFile.read(path, path.getFileName().toString())));

        assertThat(Comparison.of(meaning, meaning)).isEmpty();
    }

    /** All but nfs_acl.x, which includes nfs3.x. */
    static List<Path> specifications() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("../../spec"))) {
            return files.filter(file -> file.toString().endsWith(".x") && !file.endsWith("nfs_acl.x"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void aRecordOfDestinationsIsComparedToo() {
        String old = """
                struct entry { /*@ddp eligible; size 4096 */ opaque d<>; /*@ddp eligible; size 4096 */ opaque e<>; };
                struct res { entry list<>; };
                program P { /*@ddp port 20200 */ version V { res GET(int) = 1; } = 1; } = 0x20000300;
                """;

        assertThat(changes(old, old)).isEmpty();
        assertBreaksJavaAlone(changes(old.replace("opaque e<>", "opaque f<>"), old));
    }

    @Test
    void withoutProgramsEveryDefinitionMayBeInAMessage() {
        assertThat(changes("struct s { hyper z; };", "struct s { int z; };"))
                .anyMatch(change -> change.effect() == Change.Effect.WIRE_BREAKING);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            struct s { string name<64>; };                             | struct s { opaque name<128>; };                            | bound raised from 64 to 128 | a peer rejects a length
            struct b { opaque x<4>; }; struct s { b y; };              | struct c { hyper x; opaque z<5>; }; struct s { c y; };     | was b, is c | encode it in different ways
            struct b { opaque x<9>; int z<4>; }; struct s { b y; };    | struct c { opaque x<7>; int z<5>; }; struct s { c y; };    | bound lowered from 9 to 7: a new peer rejects values beyond its bound; bound raised from 4 to 5 | a peer rejects a length
            struct b { opaque x<9>; int z; }; struct s { b y; };       | struct c { opaque x<7>; int z; }; struct s { c y; };       | bound lowered from 9 to 7 | a peer rejects a length
            enum b { A = 1 }; struct s { b y; };                       | enum c { A = 1, B = 2 }; struct s { c y; };                | was b, is c | the others are encoded alike
            """)
    void aDifferenceIsSaidForWhatItIs(String old, String now, String what, String why) {
        assertThat(changes(now + USED, old + USED))
                .filteredOn(change -> change.effect() == Change.Effect.WIRE_BREAKING)
                .singleElement()
                .satisfies(change -> {
                    assertThat(change.what()).startsWith(what);
                    assertThat(change.why()).contains(why);
                });
    }

    private static List<Change> changes(String now, String old) {
        return Comparison.of(Sources.meaning(old), Sources.meaning(now));
    }
}
