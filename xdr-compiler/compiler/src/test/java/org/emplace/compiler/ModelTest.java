// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import java.math.BigInteger;
import java.util.List;
import org.emplace.compiler.emit.Emitter;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol.Constant;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.source.SourceFile;
import org.emplace.compiler.source.Span;
import org.junit.jupiter.api.Test;

class ModelTest {

    @Test
    void constantsAreDecimalHexadecimalOctalAndNamesOfOthers() {
        Protocol protocol = protocol("const A = B; const B = 0x1F; const C = -010; enum e { D = A, E };");

        assertThat(protocol.constants())
                .extracting(Constant::name, Constant::value)
                .containsExactly(
                        tuple("A", BigInteger.valueOf(31)),
                        tuple("B", BigInteger.valueOf(31)),
                        tuple("C", BigInteger.valueOf(-8)));
        assertThat(((TypeDefinition.Enumeration) protocol.type("e")).enumerators())
                .extracting(TypeDefinition.Enumerator::value)
                .containsExactly(31, 32);
    }

    @Test
    void boundsAreNumbersAndTheAbsentOneIsTheLargest() {
        Protocol protocol = protocol("""
                const N = 8;
                struct s {
                    opaque a[N]; opaque b<N>; opaque c<>; string d<5>; int e[N]; unsigned f<>; hyper *g; s *next;
                };
                """);

        assertThat(fields(protocol, "s"))
                .extracting(TypeDefinition.Field::type)
                .containsExactly(
                        new XdrType.FixedOpaque(8),
                        new XdrType.VariableOpaque(8),
                        new XdrType.VariableOpaque(0xffff_ffffL),
                        new XdrType.StringType(5),
                        new XdrType.FixedArray(XdrType.Primitive.INT, 8),
                        new XdrType.VariableArray(XdrType.Primitive.UNSIGNED_INT, 0xffff_ffffL),
                        new XdrType.Optional(XdrType.Primitive.HYPER),
                        new XdrType.Optional(new XdrType.Reference("s")));
    }

    @Test
    void undefinedRpcStructsAreThoseOfCHeaders() {
        Protocol protocol = protocol("""
                struct callback { struct opaque_auth who; authsys_parms *as; };
                program P { version V { pmap FIND(callback, authsys_parms) = 1; } = 1; } = 1;
                """);

        assertThat(protocol.types()).containsOnlyKeys("callback", "opaque_auth", "authsys_parms", "pmap");
        assertThat(fields(protocol, "authsys_parms"))
                .extracting(TypeDefinition.Field::name, TypeDefinition.Field::type)
                .containsExactly(
                        tuple("stamp", XdrType.Primitive.UNSIGNED_INT),
                        tuple("machinename", new XdrType.StringType(255)),
                        tuple("uid", XdrType.Primitive.UNSIGNED_INT),
                        tuple("gid", XdrType.Primitive.UNSIGNED_INT),
                        tuple("gids", new XdrType.VariableArray(XdrType.Primitive.UNSIGNED_INT, 16)));
    }

    @Test
    void anRpcStructThatAFileDefinesIsUsed() {
        Protocol protocol = protocol("struct opaque_auth { int mine; }; struct s { opaque_auth who; };");

        assertThat(fields(protocol, "opaque_auth"))
                .extracting(TypeDefinition.Field::name)
                .containsExactly("mine");
    }

    @Test
    void anonymousTypesAreNamedByTheirHolderAndMember() {
        Protocol protocol = protocol("""
                struct outer {
                    struct { enum { A = 1 } kind; } inner<>;
                    union switch (bool set) { case TRUE: struct { int x; } value; case FALSE: void; } choice;
                };
                typedef struct { int y; } direct;
                typedef struct { int z; } several<4>;
                """);

        assertThat(protocol.types().keySet())
                .containsExactly(
                        "outer.inner.kind",
                        "outer.inner",
                        "outer.choice.value",
                        "outer.choice",
                        "outer",
                        "direct",
                        "several.element",
                        "several");
        assertThat(fields(protocol, "outer").get(0).type())
                .isEqualTo(new XdrType.VariableArray(new XdrType.Reference("outer.inner"), 0xffff_ffffL));
    }

    @Test
    void aUnionKeepsTheLabelsOfItsArmsTogether() {
        Protocol protocol = protocol("""
                enum e { A = 1, B = 2, C = 3 };
                const NUMBER = 3;
                union u switch (e which) { case A: case B: int x; case NUMBER: void; default: string y<>; };
                """);

        TypeDefinition.Union union = (TypeDefinition.Union) protocol.type("u");
        assertThat(union.discriminant().type()).isEqualTo(new XdrType.Reference("e"));
        assertThat(union.arms())
                .extracting(TypeDefinition.Arm::cases)
                .containsExactly(
                        List.of(new TypeDefinition.CaseValue("A", 1), new TypeDefinition.CaseValue("B", 2)),
                        List.of(new TypeDefinition.CaseValue("C", 3)));
        assertThat(union.arms().get(1).field()).isEmpty();
        assertThat(union.defaultArm().orElseThrow().field().orElseThrow().name())
                .isEqualTo("y");
    }

    @Test
    void aTypeInACaseThatIsLeftOutIsLeftOutToo() {
        Protocol protocol = protocol("""
                enum e { A = 0 };
                union u switch (e x) { case A: int a; case 7: struct { struct { int c; } b; } s; default: void; };
                """);

        assertThat(protocol.types()).containsOnlyKeys("e", "u");
    }

    @Test
    void programsHaveTheirVersionsAndProcedures() {
        Program program = protocol("""
                        program P {
                            version V1 { void NONE(void) = 0; unsigned hyper SUM(int, string) = 1; } = 1;
                            version V2 { void NONE(void) = 0; } = 0x2;
                        } = 0x20000001;
                        """).programs().get(0);

        assertThat(program.number()).isEqualTo(0x2000_0001L);
        assertThat(program.versions()).extracting(Program.Version::number).containsExactly(1L, 2L);
        Program.Procedure sum = program.versions().get(0).procedures().get(1);
        assertThat(sum.arguments()).containsExactly(XdrType.Primitive.INT, new XdrType.StringType(0xffff_ffffL));
        assertThat(sum.result()).isEqualTo(XdrType.Primitive.UNSIGNED_HYPER);
        assertThat(program.versions().get(0).procedures().get(0).arguments()).isEmpty();
    }

    @Test
    void commentsBesideDefinitionsAreTheirDocumentation() {
        Protocol protocol = protocol("""
                /* A license, which documents nothing. */

                /*
                 * What s is,
                 * in two lines.
                 */
                struct s {
                    int a;    /* trailing a */
                    /* before b */
                    /*@ddp eligible */
                    opaque b<>;    // trailing b
                    int c; int d;  /* of d alone */
                };
                enum e {
                    A = 1,  /* first */
                    B = 2   /* second */
                };
                program P {
                    version V {
                        /* Gets it. */
                        s GET(void) = 1;
                    } = 1;
                } = 1;
                """);

        assertThat(protocol.type("s").documentation()).isEqualTo("What s is,\nin two lines.");
        assertThat(fields(protocol, "s"))
                .extracting(TypeDefinition.Field::documentation)
                .containsExactly("trailing a", "before b\ntrailing b", "", "of d alone");
        assertThat(((TypeDefinition.Enumeration) protocol.type("e")).enumerators())
                .extracting(TypeDefinition.Enumerator::documentation)
                .containsExactly("first", "second");
        assertThat(protocol.programs()
                        .get(0)
                        .versions()
                        .get(0)
                        .procedures()
                        .get(0)
                        .documentation())
                .isEqualTo("Gets it.");
    }

    @Test
    void definitionsHavePositions() {
        assertThat(protocol("\n  struct s { int x; };").type("s").origin()).isEqualTo(new Span("test.x", 2, 10, 1));
    }

    @Test
    void filesReferToEachOtherAndTheirOrderDoesNotMatter() {
        SourceFile types = new SourceFile("types.x", "typedef opaque handle<LARGEST>;");
        SourceFile constants = new SourceFile("constants.x", "const LARGEST = 64; struct s { handle h; };");

        JavaModel meaning = Sources.meaning(List.of(types, constants));
        JavaModel other = Sources.meaning(List.of(constants, types));
        assertThat(meaning.protocol()).isEqualTo(other.protocol());
        assertThat(meaning.binding()).isEqualTo(other.binding());
        assertThat(Emitter.emit(meaning)).isEqualTo(Emitter.emit(other));
    }

    private static Protocol protocol(String text) {
        return Sources.meaning(text).protocol();
    }

    private static List<TypeDefinition.Field> fields(Protocol protocol, String structure) {
        return ((TypeDefinition.Structure) protocol.type(structure)).fields();
    }
}
