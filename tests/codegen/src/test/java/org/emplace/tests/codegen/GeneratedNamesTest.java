// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.javamodel.ReservedNames;
import org.emplace.compiler.source.SourceFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The Java names of a protocol's elements. No name makes the generated code invalid. */
class GeneratedNamesTest extends CompilerTest {
    @Test
    void namesThatJavaOrGeneratedCodeUsesBreakNothing() throws IOException {
        assertThat(javac(generated("""
                        enum object { class = 0, value = 1, VALUE = 2, in = 3 };
                        /*@ddp name OtherObject */ struct Object { int hashCode; int toString; int out; int in; int int_; int default_; };
                        struct list { object list; Object optional<>; };
                        /*@ddp name OtherList */ struct LIST { list *list; unsigned int override; };
                        struct xdr_encoder { list string_; };
                        struct constants { int a; };
                        const a = 1;
                        const goto = 2;
                        union record switch (object in) {
                        case class: list list;
                        case value: int match;
                        default: constants record;
                        };
                        struct t { int t; };
                        union u switch (int out) { case 1: t u; case 2: int string_; default: t out; };
                        /*@ddp name Entry */ struct x { x *next; };
                        struct y { x *x; y *y; int z; };
                        program X_PROG {
                            version X_V {
                                void X_ON(void) = 0;
                                void X_WAIT(void) = 1;
                                list X_SERVICE(t) = 2;
                                y X_X(y) = 3;
                                int X_PROGRAM(int, int, t) = 4;
                                t X_NEW(record, u) = 5;
                                /*@ddp name newer */ int X_new(int) = 6;
                                int X_READ(int) = 7;
                                /*@ddp name readLater */ int X_READ_ASYNC(int) = 8;
                            } = 1;
                        } = 0x20000001;
                        /*@ddp name OtherX1 */ struct x1 { int a; };
                        /*@ddp name ClientOfX1 */ struct X1_client { int a; };
                        """))).isEmpty();
    }

    /** Names of the classes around them, or inside them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "union Visitor switch (int k) { case 1: int a; default: void; };",
                "struct Visitor { union switch (int k) { case 1: int a; default: void; } u; };",
                "struct s { struct { union switch (int k) { case 1: int a; default: void; } x; } visitor; };",
                "struct s { union switch (int k) { case 1: int a; default: void; } visitor; };",
                "struct Visitor { int x; }; union u switch (int k) { case 1: Visitor v; default: void; };",
                "enum Red { Red = 0, Blue = 1 }; struct s { Red r; Red q<>; Red *o; };",
                "enum E { E = 1 }; union u switch (E k) { case E: E e; };",
                "/*@ddp open */ enum Known { Known = 1, Unknown = 2 }; struct s { Known k; };"
            })
    void namesOfClassesAroundAndInsideBreakNothing(String xdr) throws IOException {
        assertThat(javac(generated(xdr))).isEmpty();
    }

    /** Definitions in which two elements would have the same name, with that name. */
    static List<Arguments> clashes() {
        String version = "program X_PROG { version V { %s } = 1; } = 0x20000001; ";
        String operations =
                "enum stat { OK = 0 }; union res switch (int what) { case 1: stat s; default: stat other; }; struct reply { res results<>; };"
                        + "union op switch (int what) { %s }; struct list { op ops<>; };"
                        + version.formatted(
                                "/*@ddp operations args.ops, results.results, success OK */ reply X_EDIT(list) = 1;");
        return List.of(
                Arguments.of("struct a_b { int x; }; struct A_B { int x; };", "AB"),
                Arguments.of("struct s { int a_b; int aB; };", "aB"),
                Arguments.of("struct s { int ab; /*@ddp name Ab */ int x; int c; int d; int e; };", "withAb"),
                Arguments.of("enum e { new = 1, new_ = 2 };", "new_"),
                Arguments.of("/*@ddp prefix E_ */ enum e { E_ONE = 1, ONE = 2 };", "ONE"),
                Arguments.of("const new = 1; const new_ = 2;", "new_"),
                Arguments.of(
                        "const A_B = 1; const a_b = 2; union u switch (int x) { case A_B: int a; case a_b: int b; };",
                        "AB"),
                Arguments.of(
                        "const DATA_TYPE = 1; union u switch (int x) { case DATA_TYPE: int a; case 2: struct { int y; } data; };",
                        "DataType"),
                Arguments.of(
                        "const Default = 1; union u switch (int x) { case Default: int a; default: int b; };",
                        "Default"),
                Arguments.of("struct x1 { int a; }; " + version.formatted("void NOTHING(void) = 0;"), "X1"),
                Arguments.of(
                        "struct x1_client { int a; }; " + version.formatted("void NOTHING(void) = 0;"), "X1Client"),
                Arguments.of("struct y { int a; }; " + version.formatted("void X_Y(void) = 1;"), "Y"),
                Arguments.of(version.formatted("void X_GET(void) = 1; void X_get(void) = 2;"), "get"),
                Arguments.of(version.formatted("void X_GET(void) = 1; void X_GET_ASYNC(void) = 2;"), "getAsync"),
                Arguments.of("struct x1_edit_call { int a; }; " + operations.formatted("case 1: int a;"), "X1EditCall"),
                Arguments.of(
                        "const A_B = 1; const a_b = 2; " + operations.formatted("case A_B: case a_b: int a;"), "aB"));
    }

    @ParameterizedTest
    @MethodSource("clashes")
    void twoThingsOfOneNameAreAnError(String xdr, String name) {
        assertThat(XdrCompiler.analyze(List.of(new SourceFile("test.x", xdr))).diagnostics())
                .filteredOn(each -> each.severity() == Diagnostic.Severity.ERROR)
                .isNotEmpty()
                .allMatch(each -> each.code().equals("E226"))
                .allMatch(each -> each.message().endsWith("would both be `" + name + "` in Java"));
    }

    @Test
    void classesThatCaseAloneTellsApartAreAnError() {
        String xdr = "struct a_b { int x; }; struct AB { int x; };";
        assertThat(XdrCompiler.analyze(List.of(new SourceFile("test.x", xdr))).diagnostics())
                .extracting(Diagnostic::message)
                .containsExactly(
                        "`a_b` and `AB` would be `AB` and `Ab` in Java, which are the same file if file names ignore case");
    }

    @Test
    void aNameClauseNamesAnEnumeratorAndItsArms() throws IOException {
        SortedMap<String, String> sources = generated("""
                /*@ddp prefix OP_ */
                enum op { /*@ddp name GET_FH */ OP_GETFH = 1, OP_PUT = 2 };
                /*@ddp name LIMIT */
                const MAXIMUM = 7;
                union u switch (op kind) { case OP_GETFH: int a; default: void; };
                union v switch (int kind) { case MAXIMUM: int a; default: void; };
                """);

        assertThat(sources.get("p/q/Op.java")).contains("GET_FH(1)", "PUT(2)");
        assertThat(sources.get("p/q/U.java")).contains("record GetFh(int a)", "getFh(GetFh value)");
        assertThat(sources.get("p/q/V.java")).contains("record Limit(int a)");
        assertThat(sources.get("p/q/Constants.java")).contains(" LIMIT = 7");
    }

    @Test
    void anOnlyArgumentKeepsItsName() throws IOException {
        String server = Objects.requireNonNull(
                generated("program P { version V { int A(int count) = 1; int B(int) = 2; } = 1; } = 0x20000001;")
                        .get("p/q/P1Server.java"));

        assertThat(server).contains("int a(int count, ServerCall call)", "int b(int args, ServerCall call)");
    }

    @Test
    void anOnlyArgumentWithoutANameHasThatOfItsTypedef() throws IOException {
        SortedMap<String, String> sources = generated("""
                typedef string dir_path<1024>;
                program P { version V { int MOUNT(dir_path) = 1; } = 1; } = 0x20000001;
                """);

        assertThat(javac(sources)).isEmpty();
        assertThat(sources.get("p/q/P1.java")).contains("XdrBounds.string(args, \"dirPath\", 1024)");
        assertThat(sources.get("p/q/P1Server.java")).contains("""
                    /**
                     * Answers {@code MOUNT}.
                     *
                     * @param dirPath at most 1024 bytes
                     */
                    default int mount(XdrString dirPath, ServerCall call) throws Exception {
                """);
        assertThat(sources.get("p/q/P1Client.java")).contains("""
                    /**
                     * Calls {@code MOUNT}.
                     *
                     * @param dirPath at most 1024 bytes
                     */
                    public int mount(XdrString dirPath) throws RpcException, InterruptedException {
                """);
    }

    @Test
    void typesInsideEachOtherMayAllHaveOneName() throws IOException {
        assertThat(javac(generated("struct a { struct { struct { struct { int x; } a; } a; } a; };")))
                .isEmpty();
    }

    @Test
    void howAProcedureIsNamedDoesNotDependOnTheOthers() throws IOException {
        String one = "program ALBUM_PROGRAM { version V { void ALBUM_KEEP(int) = 1; %s } = 1; } = 0x20000099;";

        assertThat(methods(generated(one.formatted("")))).containsExactly("keep");
        assertThat(methods(generated(one.formatted("void FIND(int) = 2; void ALBUMPROC2_NULL(int) = 0;"))))
                .containsExactly("keep", "find", "nullProcedure");
    }

    @Test
    void aServerHasNoMethodForTheProcedureThatDoesNothing() throws IOException {
        assertThat(methods(generated("""
                program ALBUM_PROGRAM { version V { void ALBUM_NULL(void) = 0; void ALBUM_KEEP(int) = 1; } = 1; } = 0x20000099;
                """))).containsExactly("keep");
    }

    @Test
    void aPrefixIsLeftOutWhereABindingSaysSo() throws IOException {
        assertThat(methods(generated("""
                        program ALBUM_PROGRAM {
                            /*@ddp prefix PIC_ */
                            version V { void PIC_KEEP(int) = 1; void ALBUM_FIND(int) = 2; void PIC_2(int) = 3; } = 1;
                        } = 0x20000099;
                        """))).containsExactly("keep", "albumFind", "pic2");
    }

    /** The methods of the server. */
    private static List<String> methods(SortedMap<String, String> sources) {
        String server = Objects.requireNonNull(sources.get("p/q/Album1Server.java"));
        return Pattern.compile("(?m)^    (?:default )?void (\\w+)\\(")
                .matcher(server)
                .results()
                .map(method -> method.group(1))
                .toList();
    }

    @Test
    void everyClassThatIsImportedIsReserved() {
        Stream.concat(generated(CONSTRUCTS).values().stream(), generated(SPEC.resolve("nfs42.x")).values().stream())
                .flatMap(String::lines)
                .filter(line -> line.startsWith("import "))
                .map(line -> line.replaceFirst(".*\\.(\\w+);", "$1"))
                .distinct()
                .forEach(name -> assertThat(ReservedNames.CLASSES).contains(name));
    }

    @Test
    void namesThatBindingsGiveBreakNothing() throws IOException {
        assertThat(javac(generated("""
                        /*@ddp name var */ struct a { int x; };
                        /*@ddp name record */ union b switch (int x) { case 1: /*@ddp name var */ int y; };
                        /*@ddp name sealed */ enum c { ONE = 1 };
                        /*@ddp name permits */ struct d { /*@ddp name yield */ int x; };
                        /*@ddp name yield */ struct e { int x; };
                        /*@ddp name String */ struct f { int x; };
                        /*@ddp name F */ struct g { int x; };
                        program P {
                            /*@ddp name Optional */
                            version V { /*@ddp name wait */ int P1(a) = 1; } = 1;
                        } = 0x20000001;
                        """))).isEmpty();
    }

    @Test
    void namesOfVariablesInGeneratedCodeBreakNothing() throws IOException {
        assertThat(javac(generated("""
                        struct s { unsigned int each<>; unsigned int *each2; unsigned int from<>; int to; int out; int in; };
                        union from switch (int from) { case 1: s *T; case 2: opaque each<3>; default: unsigned int T_<>; };
                        union each switch (unsigned int each) { case 1: int x<>; case 2: case 3: unsigned int from<>; };
                        program P {
                            version V { int P1(s call, unsigned int each, unsigned int server<>, int options) = 1; } = 1;
                        } = 0x20000001;
                        """))).isEmpty();
    }

    @Test
    void anArmIsNeverNamedAsItsUnion() throws IOException {
        assertThat(javac(generated("""
                        enum kind { VAR = 1, XDR_DECODER = 2, OUTER = 3 };
                        union var switch (kind what) { case VAR: int a; };
                        union xdr_decoder_arm switch (kind what) { case XDR_DECODER: int a; };
                        struct outer { union switch (kind what) { case OUTER: int a; } inner; };
                        """))).isEmpty();
    }

    @Test
    void namesOfOperationsBreakNothing() throws IOException {
        assertThat(javac(generated("""
                        enum operation_result { OK = 0, BAD = 1 };
                        enum kind {
                            start = 1, await = 2, RUN = 3, begin = 4, finish = 5, otherwise = 6, answer = 7, class = 8, HASH_CODE = 9, NOTIFY = 10,
                            LIST = 11, status_of = 12, C = 13, CONTEXT = 14, RUN2 = 15, LEFT = 16, RIGHT = 17, OTHER = 18
                        };
                        struct C { operation_result status; int operations; int each; int context; int result; int arm; };
                        struct left { C operations; int arm; };
                        union op switch (kind what) {
                        case start: case await: C operations;
                        case RUN: unsigned int context;
                        case begin: case finish: case otherwise: case answer: case class: case HASH_CODE: case NOTIFY: void;
                        case LIST: op_list_args operation;
                        case status_of: string arm<>;
                        case C: C *each;
                        case CONTEXT: int *context2;
                        case RUN2: int result<>;
                        case LEFT: left left;
                        default: void;
                        };
                        struct op_list_args { int options; /*@ddp eligible */ opaque data<>; };
                        struct op_list_ok { /*@ddp eligible; size args.operations[i].operation.options */ opaque data<>; };
                        union op_list_res switch (operation_result what) { case OK: op_list_ok arm; case BAD: void; };
                        union res switch (kind context) {
                        case LIST: op_list_res result;
                        case start: C C;
                        case RIGHT: operation_result status;
                        case OTHER: case RUN: unsigned int count;
                        default: void;
                        };
                        struct list { int options; op operations<>; int connection; int defaults; int each; };
                        struct reply { res results<>; };
                        program P {
                            /*@ddp port dynamic */
                            version V {
                                /*@ddp reply-size 1; operations args.operations, results.results, success OK */
                                reply EDIT(list) = 1;
                                /*@ddp reply-size 1; operations args.operations, results.results, success OK */
                                reply SEVERAL(int status, op operations<>, int results, int result, int context, int options) = 2;
                            } = 1;
                        } = 0x20000001;
                        """))).isEmpty();
    }
}
