// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.emplace.compiler.binding.Binding;
import org.emplace.compiler.binding.ChunkPlan;
import org.emplace.compiler.binding.ChunkPlan.EligibleItem;
import org.emplace.compiler.binding.ChunkPlan.Size;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.source.SourceFile;
import org.junit.jupiter.api.Test;

class BindingTest {
    private static final Target.Version FILES_V1 = new Target.Version("FILES", "FILES_V1");
    private static final Target.Version P_V = new Target.Version("P", "V");

    private static final String FILES = """
            const LARGEST_NAME = 16;
            struct range { unsigned hyper offset; unsigned int count; };
            struct data {
                bool eof;
                /*@ddp eligible as result; size args.count */
                opaque bytes<>;
            };
            union read_result switch (int status) { case 0: data ok; default: void; };
            struct update {
                range where;
                /*@ddp eligible as argument */
                opaque bytes<>;
            };
            program FILES {
                /*@ddp port 20049; netid rdma; inline-threshold 4096; max-message 5000000; violation err-chunk; name Files */
                version FILES_V1 {
                    void NONE(void) = 0;
                    read_result READ(range) = 1;
                    int WRITE(update) = 2;
                    /*@ddp reply-size args.count + LARGEST_NAME; write-chunks 3; name ls */
                    string LIST(range) = 3;
                    data ECHO(data) = 4;
                } = 1;
            } = 0x20000000;
            """;

    @Test
    void anEligibleResultIsFoundThroughUnionsWithItsSizeFromTheCall() {
        ChunkPlan read = plan(FILES, FILES_V1, "READ");

        assertThat(read.results().items())
                .containsExactly(new EligibleItem(
                        List.of("ok", "bytes"),
                        new Target.Item("data", "bytes"),
                        new Size.FromArgument(List.of("count"), 0),
                        true));
        assertThat(read.arguments().items()).isEmpty();
        assertThat(read.writeChunkLimit()).isEqualTo(1);
        assertThat(read.readChunkLimit()).isZero();
    }

    @Test
    void theReplyBoundLeavesOutEligibleBytesButNotTheirCount() {
        // discriminant, eof, count of bytes
        assertThat(plan(FILES, FILES_V1, "READ").replyBound()).isEqualTo(new Size.Fixed(12));
        assertThat(plan(FILES, FILES_V1, "NONE").replyBound()).isEqualTo(new Size.Fixed(0));
        assertThat(plan(FILES, FILES_V1, "LIST").replyBound()).isEqualTo(new Size.FromArgument(List.of("count"), 16));
    }

    @Test
    void aResultWithoutBoundLeavesTheReplyUnbounded() {
        String text = "program P { version V { string NAME(void) = 1; } = 1; } = 1;";

        assertThat(plan(text, P_V, "NAME").replyBound()).isEqualTo(new Size.Unbounded());
    }

    @Test
    void anItemEligibleInOneDirectionStaysInlineInTheOther() {
        String echo = FILES.replace("size args.count */", "size 100 */");

        assertThat(plan(echo, FILES_V1, "ECHO").arguments().items()).isEmpty();
        assertThat(plan(echo, FILES_V1, "ECHO").results().items())
                .containsExactly(new EligibleItem(
                        List.of("bytes"), new Target.Item("data", "bytes"), new Size.Fixed(100), true));
    }

    @Test
    void aVersionHasTheSettingsOfItsClauses() {
        Binding.VersionBinding version = version(FILES.replace("data ECHO(data) = 4;", ""), FILES_V1);

        assertThat(version.bound()).isTrue();
        assertThat(version.port()).isEqualTo(OptionalInt.of(20049));
        assertThat(version.netids()).containsExactly("rdma");
        assertThat(version.inlineThreshold()).isEqualTo(OptionalInt.of(4096));
        assertThat(version.maxMessage()).isEqualTo(OptionalInt.of(5_000_000));
        assertThat(version.violation()).isEqualTo(Binding.ViolationAnswer.ERR_CHUNK);
        assertThat(version.backward()).isFalse();
    }

    @Test
    void javaNamesAreKeptByTheirTargets() {
        Binding binding = binding(FILES.replace("data ECHO(data) = 4;", ""));

        assertThat(binding.javaNames())
                .containsEntry(FILES_V1, "Files")
                .containsEntry(new Target.Procedure("FILES", "FILES_V1", "LIST"), "ls");
        assertThat(binding.payloadItems())
                .containsExactlyInAnyOrder(new Target.Item("data", "bytes"), new Target.Item("update", "bytes"));
        assertThat(binding.encodedItems()).isEmpty();
    }

    @Test
    void itemsAreFoundInArraysAndLinkedLists() {
        ChunkPlan plan = plan("""
                typedef struct part parts<4>;
                struct part { /*@ddp eligible */ opaque bytes<512>; };
                struct entry { part p; entry *next; };
                struct all { parts several; entry *list; part *perhaps; };
                program P { version V { all GET(void) = 1; } = 1; } = 1;
                """, P_V, "GET");

        assertThat(plan.results().items())
                .extracting(EligibleItem::path)
                .containsExactly(
                        List.of("several", "[]", "bytes"),
                        List.of("list", "[]", "p", "bytes"),
                        List.of("perhaps", "bytes"));
        assertThat(plan.results().items()).extracting(EligibleItem::size).containsOnly(new Size.Fixed(512));
        assertThat(plan.writeChunkLimit()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void aResultInAnArrayTakesItsSizeFromTheArgumentOfItsIndex() {
        ChunkPlan plan = plan("""
                union op_args switch (int what) { case 1: unsigned int count; default: void; };
                struct call { struct { op_args ops<>; } all; };
                union op_result switch (int what) {
                case 1: /*@ddp eligible; size args.all.ops[i].count + 8 */ opaque bytes<>;
                case 2: /*@ddp eligible; size 64 when args.all.ops[i].what = 1 */ string name<>;
                };
                struct reply { op_result ops<>; };
                program P { version V { reply COMPOUND(call) = 1; } = 1; } = 1;
                """, P_V, "COMPOUND");

        assertThat(plan.results().items())
                .extracting(EligibleItem::size)
                .containsExactly(
                        new Size.FromElements(List.of("all", "ops"), List.of("count"), 8),
                        new Size.PerElement(
                                List.of("all", "ops"), List.of("what"), new TypeDefinition.CaseValue("1", 1), 64));
    }

    @Test
    void arraysOfNumbersArePayloadsAndOtherItemsAreEncodedInTheirChunk() {
        String text = """
                struct table { /*@ddp eligible */ unsigned hyper rows<10>; /*@ddp eligible */ bool flags[3]; /*@ddp eligible */ int *one; };
                program P { version V { table GET(void) = 1; } = 1; } = 1;
                """;

        assertThat(binding(text).encodedItems())
                .containsExactlyInAnyOrder(new Target.Item("table", "one"), new Target.Item("table", "flags"));
        assertThat(binding(text).payloadItems()).containsExactly(new Target.Item("table", "rows"));
        assertThat(plan(text, P_V, "GET").results().items())
                .extracting(EligibleItem::size)
                .containsExactly(new Size.Fixed(80), new Size.Fixed(12), new Size.Fixed(4));
        assertThat(plan(text, P_V, "GET").replyBound()).isEqualTo(new Size.Fixed(8));
    }

    @Test
    void aBackwardProgramHasNoChunks() {
        Binding.VersionBinding version = version("""
                struct data { /*@ddp eligible */ opaque bytes<64>; };
                program P { /*@ddp direction backward */ version V { data GET(data) = 1; } = 1; } = 1;
                """, P_V);

        assertThat(version.backward()).isTrue();
        ChunkPlan plan = Objects.requireNonNull(version.procedures().get("GET"));
        assertThat(plan.arguments().items()).isEmpty();
        assertThat(plan.results().items()).isEmpty();
        assertThat(plan.replyBound()).isEqualTo(new Size.Fixed(68));
    }

    @Test
    void aSidecarHasTheSameMeaningAsComments() {
        String plain = FILES.replaceAll("/\\*@ddp.*?\\*/", "");
        String sidecar = """
                item data.bytes { eligible as result; size args.count }
                item update.bytes { eligible as argument }
                version FILES_V1 { port 20049; netid rdma; inline-threshold 4096; max-message 5000000; violation err-chunk; name Files }
                procedure LIST { reply-size args.count + LARGEST_NAME; write-chunks 3; name ls }
                """;
        String echo = "data ECHO(data) = 4;";

        assertThat(Sources.meaning(plain.replace(echo, ""), sidecar).binding())
                .isEqualTo(binding(FILES.replace(echo, "")));
    }

    @Test
    void aSidecarCanMakeAnItemEligibleInOneProcedureAlone() {
        String text = """
                struct data { opaque bytes<64>; };
                program P { version V { data GET(void) = 1; data PEEK(void) = 2; } = 1; } = 1;
                """;
        Binding binding =
                Sources.meaning(text, "item GET.results.bytes { eligible }").binding();
        Binding.VersionBinding version =
                Objects.requireNonNull(binding.versions().get(P_V));

        assertThat(Objects.requireNonNull(version.procedures().get("GET"))
                        .results()
                        .items())
                .hasSize(1);
        assertThat(Objects.requireNonNull(version.procedures().get("PEEK"))
                        .results()
                        .items())
                .isEmpty();
        assertThat(binding.payloadItems()).containsExactly(new Target.Item("data", "bytes"));
    }

    @Test
    void limitsOfUnusedChunksAreReported() {
        String text = """
                struct data { /*@ddp eligible */ opaque bytes<4096>; };
                program P {
                    /*@ddp port 1 */
                    version V {
                        /*@ddp read-chunks 2; write-chunks 2 */
                        data GET(int) = 1;
                    } = 1;
                } = 1;
                """;

        assertThat(XdrCompiler.analyze(List.of(new SourceFile("test.x", text))).diagnostics())
                .singleElement()
                .satisfies(diagnostic -> {
                    assertThat(diagnostic.code()).isEqualTo("W312");
                    assertThat(diagnostic.message())
                            .isEqualTo("`read-chunks` has no effect: `GET` has no eligible arguments");
                });
    }

    private static Binding binding(String text) {
        return Sources.meaning(text).binding();
    }

    private static Binding.VersionBinding version(String text, Target.Version name) {
        return Objects.requireNonNull(binding(text).versions().get(name));
    }

    private static ChunkPlan plan(String text, Target.Version version, String procedure) {
        String usable = procedure.equals("ECHO") ? text : text.replace("data ECHO(data) = 4;", "");
        return Objects.requireNonNull(version(usable, version).procedures().get(procedure));
    }
}
