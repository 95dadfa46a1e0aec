// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.source.SourceFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Mistakes of those who know C, rpcgen, Java or Protocol Buffers: each is one error, whose hint says what to write. */
class AdviceTest {

    static List<Arguments> mistakes() {
        return List.of(
                Arguments.of("struct a { int x, y; };", "write a declaration for each name"),
                Arguments.of("struct a { int *x, y; };", "write a declaration for each name"),
                Arguments.of("struct a { int x[3], y; };", "write a declaration for each name"),
                Arguments.of("typedef int x, y;", "write a declaration for each name"),
                Arguments.of("struct a { unsigned long long x; };", "write unsigned hyper for unsigned long long"),
                Arguments.of("struct a { signed char x; };", "write int for signed char"),
                Arguments.of("struct a { signed x; };", "write int"),
                Arguments.of("struct a { signed long long x; };", "write hyper for signed long long"),
                Arguments.of("struct a { long double x; };", "write quadruple for long double"),
                Arguments.of("struct a { long unsigned int x; };", "write unsigned before long"),
                Arguments.of("struct a { int x[]; };", "write int x<> for an array of any length"),
                Arguments.of("struct a { opaque x[]; };", "write opaque x<>"),
                Arguments.of("struct a { string x[]; };", "write string x<>"),
                Arguments.of("struct a { int[5] x; };", "write the bound after the name: int x[5]"),
                Arguments.of("struct a { int[] x; };", "write the bound after the name: int x<>"),
                Arguments.of("struct a { opaque<16> x; };", "write the bound after the name: opaque x<16>"),
                Arguments.of("struct a { string<MAX> x; };", "write the bound after the name: string x<MAX>"),
                Arguments.of("struct a { byte[] x; };", "write opaque x<> for bytes"),
                Arguments.of("struct a { List<int> x; };", "write int x<>"),
                Arguments.of(
                        "struct a { map<string, int> x; };",
                        "XDR has no maps: write an array of a struct with the key and the value"),
                Arguments.of(
                        "struct a { opaque id[16][2]; };",
                        "an array of arrays needs a typedef: typedef opaque row[2]; ... row id[16];"),
                Arguments.of(
                        "struct a { foo names<5><6>; }; typedef int foo;",
                        "an array of arrays needs a typedef: typedef foo row<6>; ... row names<5>;"),
                Arguments.of(
                        "struct a { string names<5>[3]; };",
                        "an array of strings needs a typedef: typedef string text<5>; ... text names[3];"),
                Arguments.of("struct a { optional int x; };", "write int *x for a value that may be absent"),
                Arguments.of("struct a { optional foo x; };", "write foo *x for a value that may be absent"),
                Arguments.of("struct a { repeated foo x = 1; };", "write foo x<> for a list"),
                Arguments.of("struct a { required int32 x = 1; };", "write int32 x: every member is required"),
                Arguments.of(
                        "struct a { int x = 5; };", "members have neither numbers nor initial values: remove `= 5`"),
                Arguments.of(
                        "struct a { string x = 1; };", "members have neither numbers nor initial values: remove `= 1`"),
                Arguments.of("struct a { int x : 3; };", "XDR has no bit fields"),
                Arguments.of("struct a { geo:point x; };", "write geo::point for a name in a namespace"),
                Arguments.of("struct a { x: int; };", "write the type before the name: int x"),
                Arguments.of("message a { int32 x = 1; }", "write struct NAME { ... };"),
                Arguments.of("syntax = \"proto3\";", "XDR has no versions of its syntax: remove the line"),
                Arguments.of("package foo.bar;", "names consist of letters, digits and `_`"),
                Arguments.of(
                        "package foo;", "XDR has no packages: the option --package names that of the Java sources"),
                Arguments.of(
                        "import \"x.proto\";",
                        "write #include for definitions of another file, or compile both files together"),
                Arguments.of(
                        "service S { rpc Get(A) returns (B); }",
                        "write program NAME { version NAME { ... } = 1; } = NUMBER;"),
                Arguments.of("public class A { int x; }", "remove `public`"),
                Arguments.of("class A { int x; }", "write struct NAME { ... };"),
                Arguments.of("interface A { int f(); }", "write program NAME { version NAME { ... } = 1; } = NUMBER;"),
                Arguments.of("const int X = 5;", "write const X = 5;"),
                Arguments.of("const MAX = 5 * 2;", "XDR has no expressions: write the number"),
                Arguments.of("const MAX = (5);", "write 5 without parentheses"),
                Arguments.of("const MAX = 1 << 4;", "XDR has no expressions: write the number"),
                Arguments.of("const MAX = 4 + 4;", "XDR has no expressions: write the number"),
                Arguments.of("const FLAG = true;", "did you mean `TRUE`?"),
                Arguments.of("const int X 5;", "write const X = 5;"),
                Arguments.of("static const int X = 5;", "remove `static`"),
                Arguments.of("typedef struct a { int x; } a;", "write struct a { ... }; without typedef"),
                Arguments.of("typedef struct a { int x; };", "write struct a { ... }; without typedef"),
                Arguments.of("struct { int x; } a;", "write the name before the braces: struct NAME { ... };"),
                Arguments.of("struct a { int x; } b;", "write the name before the braces: struct b { ... };"),
                Arguments.of(
                        "struct a { struct b { int y; } c; };",
                        "a struct inside another definition has no name of its own: remove `b`; if it begins a definition, a `}` is missing before it"),
                Arguments.of(
                        "union a { int x; int y; };",
                        "write union a switch (int which) { case 1: ... }: a value tells which arm follows"),
                Arguments.of(
                        "union a { switch (int x) { case 1: int y; } };", "write union a switch (...) { case ... }"),
                Arguments.of(
                        "union a switch (int x) { case 1: int y; break; case 2: void; };",
                        "an arm of a union ends by itself: remove `break;`"),
                Arguments.of("union a switch (int x) { case 1, 2: int y; };", "write case 1: case 2:"),
                Arguments.of(
                        "union a switch (int) { case 1: int y; };", "give the discriminant a name: switch (int which)"),
                Arguments.of(
                        "union a switch int x { case 1: int y; };",
                        "write switch (int which) with the discriminant's type and name"),
                Arguments.of("union a switch (int x) { case 1: };", "write void; for an arm without data"),
                Arguments.of("union a switch (int x) { };", "a union needs at least one case"),
                Arguments.of("enum a { X = 1; Y = 2; };", "write a comma between enumerators"),
                Arguments.of("enum a { X = 1 Y = 2 };", "write a comma between enumerators"),
                Arguments.of("enum a { };", "an enum needs at least one value"),
                Arguments.of("enum class a { X };", "write enum a { ... };"),
                Arguments.of("enum a : int { X };", "the values of an enum are ints: remove `: int`"),
                Arguments.of(
                        "struct a { };", "a struct needs at least one member; use void where there is nothing to say"),
                Arguments.of("struct a;", "XDR has no declarations without a body: remove the line"),
                Arguments.of(
                        "int f(int) = 1;",
                        "a declaration belongs in a struct or union, and a procedure in a version of a program"),
                Arguments.of(
                        "program P { version V { int F(int); } = 1; } = 1;", "a procedure ends with its number: = 1;"),
                Arguments.of(
                        "program P { version V { int F(int) = 1; }; } = 1;", "a version ends with its number: } = 1;"),
                Arguments.of(
                        "program P { version V { int F(int) = 1; } = 1; };",
                        "a program ends with its number: } = 0x20000001;"),
                Arguments.of(
                        "program P { int F(int) = 1; } = 1;",
                        "procedures belong in a version of the program: version NAME { ... } = 1;"),
                Arguments.of(
                        "version V { int F(int) = 1; } = 1;",
                        "a version belongs in a program: program NAME { version ... } = NUMBER;"),
                Arguments.of(
                        "program P { version V { F(int) = 1; } = 1; } = 1;",
                        "write the type of the result first: void F(...)"),
                Arguments.of("struct a { int x; };;", "remove the `;`"),
                Arguments.of("struct a { void *p; };", "XDR has no pointers to data of any type: write opaque p<>"),
                Arguments.of("struct a { int (*f)(int); };", "XDR has no pointers to functions"),
                Arguments.of("struct a { int default; };", "`default` is a keyword, which cannot be a name"),
                Arguments.of("struct class { int struct; };", "`struct` is a keyword, which cannot be a name"),
                Arguments.of("#define N 4+4\nstruct a { opaque x<N>; };", "XDR has no expressions: write the number"),
                Arguments.of("#define N (4*4)\nstruct a { opaque x<N>; };", "XDR has no expressions: write the number"),
                Arguments.of("#define N 16;\nstruct a { opaque x<N>; };", "remove the `;` from the macro"),
                Arguments.of("struct a { const char *name; };", "write string name<> for text"),
                Arguments.of(
                        "struct a { char *z[]; };",
                        "an array of strings needs a typedef: typedef string text<>; ... text z<>;"),
                Arguments.of(
                        "struct a { char *z[5]; };",
                        "an array of strings needs a typedef: typedef string text<>; ... text z[5];"),
                Arguments.of(
                        "struct a { hyper *z[]; };",
                        "`z` is both optional and an array: define a typedef for one of the two"),
                Arguments.of("structure a { int x; };", "did you mean `struct`?"),
                Arguments.of("enumeration e { A = 1 };", "did you mean `enum`?"),
                Arguments.of("constant A = 5;", "did you mean `const`?"),
                Arguments.of("struct a { integer x; };", "write int"),
                Arguments.of("struct a { const int x; };", "write int x without `const`"),
                Arguments.of("struct a { std::string s; };", "write string s<> for text"),
                Arguments.of("struct a { unsgined int x; };", "did you mean `unsigned`?"),
                Arguments.of("struct a { volatile int x; };", "write int x without `volatile`"),
                Arguments.of("struct a { unsigned double x; };", "write double without `unsigned`"),
                Arguments.of("struct a { unsigned uint32_t x; };", "write uint32_t x without `unsigned`"),
                Arguments.of("struct a { x int; };", "write the type before the name: int x"),
                Arguments.of("typdef int x;", "did you mean `typedef`?"),
                Arguments.of("structt a { int x; };", "did you mean `struct`?"),
                Arguments.of("Struct a { int x; };", "did you mean `struct`?"),
                Arguments.of("const PI = 3.14;", "XDR has whole numbers only"),
                Arguments.of(
                        "union u switch (int k) { case 1 ... 5: int a; };",
                        "XDR has no ranges: write case 1: case 2: ..."),
                Arguments.of(
                        "import foo.bar;",
                        "write #include for definitions of another file, or compile both files together"),
                Arguments.of(
                        "enum color { RED = 1 }; union u switch (color k) { case color.RED: int a; };",
                        "write RED: all names share one scope"),
                Arguments.of("struct a { int my-name; };", "names consist of letters, digits and `_`"),
                Arguments.of("const MAX-SIZE = 5;", "names consist of letters, digits and `_`"),
                Arguments.of("/* /* */ */ struct a { int x; };", "comments do not nest: they end at the first */"),
                Arguments.of("struct a { public: int x; };", "remove `public:`"),
                Arguments.of("struct a : b { int x; };", "XDR has no inheritance: write the members of b too"),
                Arguments.of("struct a : public b { int x; };", "XDR has no inheritance: write the members of b too"),
                Arguments.of("struct a<T> { int x; };", "XDR has no type parameters: write a struct for each type"),
                Arguments.of(
                        "struct __attribute__((packed)) a { int x; };",
                        "XDR has no attributes: remove `__attribute__`"),
                Arguments.of("struct a { reserved 5; int x; };", "XDR has no reserved members: remove the line"),
                Arguments.of("struct a { int n; int v<n>; };", "the length of an array is sent with it: write v<>"),
                Arguments.of("struct a { int n; opaque v[n]; };", "the length of an array is sent with it: write v<>"),
                Arguments.of(
                        "struct a { int x[N]; };\n#define N 16",
                        "move it up, into a file that both include, or define a const or typedef instead"),
                Arguments.of(
                        "#define T int\n#undef T\nstruct a { T x; };",
                        "move it up, into a file that both include, or define a const or typedef instead"),
                Arguments.of(
                        "struct a { oneof x { int y = 1; } };", "write union switch (int which) { case 1: ... } NAME;"),
                Arguments.of("enum e { A(1), B(2) };", "write A = 1"),
                Arguments.of(
                        "@Deprecated struct a { int x; };",
                        "XDR has no annotations; binding clauses are written /*@ddp ... */"),
                Arguments.of("struct a { int? x; };", "write TYPE *NAME for a value that may be absent"),
                Arguments.of("struct a { nullable int x; };", "write int *x for a value that may be absent"),
                Arguments.of(
                        "program P { version V { oneway void F(int) = 1; } = 1; } = 1;",
                        "write void F without `oneway`"),
                Arguments.of(
                        "program P { version V { void F(out int x) = 1; } = 1; } = 1;", "write int x without `out`"),
                Arguments.of("exception E { int x; };", "write struct NAME { ... };"),
                Arguments.of(
                        "include \"x.thrift\"",
                        "write #include for definitions of another file, or compile both files together"),
                Arguments.of("union u switch (int s) { 1: int x; };", "write case 1"),
                Arguments.of(
                        "union u switch (int s) { case 1: { int x; int y; } };",
                        "an arm is one declaration: write struct { ... } NAME;"),
                Arguments.of("union u switch (int s) { case 1: int x; else: int y; };", "write default for else"),
                Arguments.of("using foo = int;", "write typedef int foo;"),
                Arguments.of("using foo = unsigned int;", "write typedef TYPE foo;"),
                Arguments.of("struct a { int x; }; using namespace a;", "all names share one scope: remove the line"),
                Arguments.of(
                        "struct a { int x; } __attribute__((packed));",
                        "XDR has no attributes: remove `__attribute__`"),
                Arguments.of(
                        "program P { version V { int[] G(void) = 2; } = 1; } = 1;",
                        "write int<> for an array of any length"),
                Arguments.of("struct a { Optional<foo> x; };", "write foo *x for a value that may be absent"),
                Arguments.of(
                        "program P { version V { rpc G(int) returns (int) = 1; } = 1; } = 1;",
                        "write a procedure as RESULT NAME(ARGUMENT) = NUMBER;"),
                Arguments.of(
                        "union u switch (int k) { case 1: int a; default: break; };",
                        "write void; for an arm without data"),
                Arguments.of("enum Kind { A, B; };", "remove the `;`"),
                Arguments.of("typedef struct _b { int y; } b;", "write struct b { ... }; without typedef"),
                Arguments.of(
                        "struct a { union { int x; float y; } u; };",
                        "write union switch (int which) { case 1: ... }: a value tells which arm follows"),
                Arguments.of("struct a { struct { int z; }; };", "write a name behind the braces"),
                Arguments.of("struct a { int **pp; };", "a pointer to a pointer needs a typedef for one of the two"),
                Arguments.of("struct a { int x[N*2]; };", "XDR has no expressions: write the number"),
                Arguments.of("struct a { int x[sizeof(int)]; };", "XDR has no expressions: write the number"),
                Arguments.of(
                        "union u switch (int k) { case \"a\": int a; };",
                        "write the number: XDR selects by numbers and enumerators, not by text"),
                Arguments.of("#define A 10UL\nstruct a { int x[A]; };", "write 10 without C's suffix"),
                Arguments.of("struct s { opaque a[10UL]; };", "write 10 without C's suffix"),
                Arguments.of(
                        "#define T unsigned long long\nstruct a { T x; };",
                        "write unsigned hyper for unsigned long long"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aMistakeIsOneErrorWithAdvice(String xdr, String hint) {
        assertThat(errors(xdr))
                .singleElement()
                .satisfies(error -> assertThat(error.hint()).contains(hint));
    }

    /** Where the advice would be about the next line, which has no error. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "const A = 5\nconst B = 6;",
                "enum e { A = 1 }\nconst B = 6;",
                "typedef int a\nstruct b { int x; };"
            })
    void aForgottenSemicolonIsNoReasonToChangeTheNextLine(String xdr) {
        assertThat(errors(xdr)).singleElement().satisfies(error -> {
            assertThat(error.hint()).isEmpty();
            assertThat(error.notes())
                    .singleElement()
                    .satisfies(note -> assertThat(note.message()).isEqualTo("the `;` is missing here"));
        });
    }

    @ParameterizedTest
    @CsvSource({
        "sting name<>, string",
        "opaqe data[4], opaque",
        "hypr x, hyper",
        "Int x, int",
        "INT x, int",
        "Bool x, bool",
        "UNSIGNED x, unsigned"
    })
    void aMisspelledTypeIsFound(String member, String meant) {
        assertThat(errors("struct s { " + member + "; };"))
                .singleElement()
                .satisfies(error -> assertThat(error.hint().orElseThrow()).startsWith("did you mean `" + meant + "`?"));
    }

    /** Names of types that are nearly keywords. */
    @ParameterizedTest
    @ValueSource(strings = {"point", "hint", "ino_t", "inst", "pool", "voice"})
    void aTypeThatAnotherFileMayDefineIsNotTakenForAKeyword(String type) {
        assertThat(errors("struct s { " + type + " x; };"))
                .singleElement()
                .satisfies(error -> assertThat(error.hint().orElseThrow())
                        .endsWith("another file defines it, compile that file too"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"struct s { opaque x<-1>; };", "enum e { A = -3000000000 };"})
    void aNumberOfOtherBitsIsNoAdvice(String xdr) {
        assertThat(errors(xdr))
                .singleElement()
                .satisfies(error -> assertThat(error.hint()).isEmpty());
    }

    /** The typedef that is being defined cannot be what its type is meant to be. */
    @Test
    void aTypedefIsNoAdviceForItsOwnType() {
        assertThat(errors("typedef foos foo<>; typedef fooo bar;"))
                .extracting(Diagnostic::hint)
                .containsExactly(
                        Optional.of("if another file defines it, compile that file too"),
                        Optional.of("did you mean `foo`?"));
    }

    @ParameterizedTest
    @CsvSource({
        "gid_t, unsigned int",
        "boolean, bool",
        "uint, unsigned int",
        "String, string NAME<>",
        "byte, opaque NAME[n] or opaque NAME<> for bytes",
        "bytes, opaque NAME<>",
        "size_t, unsigned int or unsigned hyper",
        "fixed64, unsigned hyper",
        "signed, int"
    })
    void aTypeOfAnotherLanguageIsNamedInXdr(String type, String xdr) {
        assertThat(errors("struct s { " + type + " x; };"))
                .singleElement()
                .satisfies(error -> assertThat(error.hint()).contains("write " + xdr));
    }

    /** rpcgen compiles each file alone. */
    @ParameterizedTest
    @CsvSource({"16, opaque y[WORD];", "uint32_t, WORD y;"})
    void aMacroOfAnotherFileIsNamed(String meaning, String use) {
        SourceFile one = new SourceFile("one.x", "#define WORD " + meaning + "\nconst A = 1;\n");
        SourceFile other = new SourceFile("other.x", "struct b { " + use + " };\n");

        assertThat(XdrCompiler.analyze(List.of(one, other)).diagnostics())
                .filteredOn(Diagnostic::isError)
                .singleElement()
                .satisfies(error -> {
                    assertThat(error.notes())
                            .singleElement()
                            .satisfies(note -> assertThat(note.span().file()).isEqualTo("one.x"));
                    assertThat(error.hint().orElseThrow()).contains("into a file that both include");
                });
    }

    @ParameterizedTest
    @CsvSource({"true, TRUE", "False, FALSE", "red, RED", "Green, GREEN"})
    void aNameInAnotherCaseIsFound(String written, String meant) {
        assertThat(errors("enum color { RED = 0, GREEN = 1 }; union u switch (int x) { case " + written + ": void; };"))
                .singleElement()
                .satisfies(error -> assertThat(error.hint()).contains("did you mean `" + meant + "`?"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "union u switch (nosuch s) { case 1: int a; default: void; };",
                "typedef nosuch t; union u switch (t s) { case 1: int a; default: void; };",
                "enum e { A = NOPE, B }; union u switch (e s) { case A: int a; case B: void; };",
                "const A = NOPE; struct s { opaque x<A>; opaque y[A]; };",
                "enum a { OK = 0 }; enum b { OK = 1, NO = 0 }; union u switch (b k) { case OK: int x; case NO: void; };",
                "union a { int x; int y; }; struct b { int x; };",
                "struct a { int x, y, z; int b; };",
                "struct a { int x, y; foo z; }; typedef int foo;",
                "struct a { unsigned int len, foo; bar b; }; typedef int bar;",
                "struct a { void *p; foo y; }; typedef int foo;",
                "enum nst { N_OK = 0, N_ERR = 0x80000001 }; union res switch (nst s) { case N_ERR: int a; default: void; };",
                "union u switch (kind k) { case A: int a; case B: int b; };",
                "program P { version V { int A(int) = 1; } = 1; } = 1; program P { version V { int A(int) = 1; int B(int) = 2; } = 1; } = 1;",
                "program P { version V { int A(int) = ZERO; int B(int) = ZERO; } = 1; } = 1;",
                "union a switch (int x) { int y; };",
                "typedef struct a { int x; int y; } a; struct b { int x; };"
            })
    void whatFollowsFromAnErrorIsNotReported(String xdr) {
        assertThat(errors(xdr)).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "struct a { nope x; }; struct b { nope y; nope z; }; struct c { nope w<>; };|there is no type `nope` (and 3 more uses)",
                "struct a { nope x; nope y; };|there is no type `nope` (and 1 more use)",
                "struct a { nope x; };|there is no type `nope`",
                "struct a { opaque x<N>; opaque y[N]; int z<N>; };|there is no constant or enumerator `N` (and 2 more uses)"
            })
    void aMissingNameIsOneErrorWithTheNumberOfItsUses(String xdr, String message) {
        assertThat(errors(xdr)).extracting(Diagnostic::message).containsExactly(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "   ///  struct a {\n   ///     int x;\n   ///  };\n",
                "Network Working Group\n\n  /// struct a {\n",
                "   struct a {\n   /// int x;\n};\nRFC 1 (bis)"
            })
    void markedLinesOfADocumentCanBeExtracted(String text) {
        assertThat(hints(text)).contains("lines begin with ///, as in an RFC: xdrc extract takes the XDR from it");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Network Working Group                                      R. Srinivasan\nRequest for Comments: 1833\n",
                "   struct a {\n      int x;\n\nSrinivasan                  Standards Track                     [Page 12]\n\f\n   };\n",
                "Internet-Draft           A protocol         May 2020\n"
            })
    void otherDocumentsCanBeExtractedToo(String text) {
        assertThat(hints(text)).contains("this looks like the text of an RFC: xdrc extract takes the XDR from it");
    }

    private static List<String> hints(String text) {
        return XdrCompiler.analyze(List.of(new SourceFile("test.x", text))).diagnostics().stream()
                .map(Diagnostic::hint)
                .flatMap(Optional::stream)
                .toList();
    }

    private static List<Diagnostic> errors(String text) {
        return XdrCompiler.analyze(List.of(new SourceFile("test.x", text))).diagnostics().stream()
                .filter(Diagnostic::isError)
                .toList();
    }
}
