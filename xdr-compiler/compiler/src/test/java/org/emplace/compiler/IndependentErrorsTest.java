// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.source.SourceFile;
import org.junit.jupiter.api.Test;

/** One run tells of every error that is no consequence of another. */
class IndependentErrorsTest {

    @Test
    void wrongClausesHideNeitherEachOtherNorErrorsOfTypes() {
        assertThat(errors("""
                struct data {
                    /*@ddp eligble; size */
                    opaque bytes<>;
                    /*@ddp size 1 2 */
                    nowhere x;
                    /*@ddp */
                    opaque more<>;
                };
                /*@ddp name One */
                program Q { version W { void NOTHING(void) = 0; } = 1; } = 2;
                union u switch (int i) {
                case 0: /*@ddp eligible */ void;
                case 1: nothing y;
                case 1: int z;
                };
                program P {
                    /*@ddp port 099; netid rdma,; violation garbage */
                    version V { data GET(data) = 1; } = 1;
                } = 1;
                """))
                .containsExactly(
                        "2:12 E302", // eligble
                        "2:26 E303", // size without an expression
                        "4:19 E303", // no semicolon between 1 and 2
                        "5:5 E202",
                        "6:5 E307",
                        "9:1 E301", // before a program
                        "12:16 E301", // before void
                        "13:9 E202",
                        "14:6 E209",
                        "17:17 E104",
                        "17:33 E303",
                        "17:45 E303");
    }

    @Test
    void aWrongClauseDoesNotHideErrorsOfOthers() {
        assertThat(errors("""
                struct data {
                    /*@ddp eligble */
                    opaque bytes<>;
                    /*@ddp eligible; port 1 */
                    opaque more<>;
                    /*@ddp eligible */
                    int number;
                };
                program P {
                    /*@ddp port 1; port 2 */
                    version V {
                        /*@ddp reply-size args.nowhere; write-chunks 0 1 */
                        data GET(data) = 1;
                    } = 1;
                } = 1;
                """))
                .containsExactly("2:12 E302", "4:22 E305", "6:12 E308", "10:20 E304", "12:32 E314", "12:56 E303");
    }

    @Test
    void anErrorInASidecarDoesNotHideLaterErrors() {
        assertThat(errors("struct data { opaque bytes<>; nowhere x; };", """
                item data.bytes { eligble; size 4 4; size }
                itm data.bytes { eligible as }
                type data name Data }
                type data { name 4 }
                type nobody { }
                type data { name Data
                """))
                .containsExactly(
                        "1:19 E302",
                        "1:31 E202",
                        "1:35 E303",
                        "1:43 E303",
                        "2:1 E303",
                        "2:30 E303",
                        "3:11 E303",
                        "4:18 E303",
                        "5:1 E307",
                        "7:1 E303");
    }

    @Test
    void anErrorInADefinitionDoesNotHideErrorsOfClausesOnOthers() {
        String text = """
                struct broken { /*@ddp eligible */ nowhere x; };
                struct user { broken b; /*@ddp eligible */ int number; };
                struct sound { /*@ddp eligible */ int number; };
                /*@ddp open */ typedef opaque bytes<>;
                program P {
                    version V {
                        /*@ddp port 1; reply-size args.number */ sound GET(sound) = 1;
                        /*@ddp reply-size args.nowhere */ user SET(user) = 2;
                        void BOTH(void, int) = 3;
                        void SAME(int) = 1;
                        /*@ddp port 2 */ sound PUT(sound) = 4;
                    } = 1;
                    /*@ddp port 1; port 2 */
                    version W { void NOTHING(void) = 1; } = 1;
                } = 1;
                """;
        assertThat(errors(text, "item broken.x { eligible; size nobody } type sound { open }"))
                .containsExactly(
                        "1:36 E202",
                        "1:54 E305", // open, in the sidecar
                        "3:23 E308",
                        "4:8 E305",
                        "7:16 E305",
                        "9:19 E214",
                        "10:26 E212",
                        "11:16 E305",
                        "14:45 E212");
    }

    @Test
    void wrongClausesCauseNoWarningsAboutTheirAbsence() {
        String text = "program P { /*@ddp prt 1 */ version V { int GET(int) = 1; } = 1; } = 1;";

        assertThat(XdrCompiler.analyze(List.of(new SourceFile("a.x", text))).diagnostics())
                .extracting(Diagnostic::code)
                .containsExactly("E302");
    }

    @Test
    void aMisplacedClauseDoesNotHideAnErrorOfGrammar() {
        assertThat(
                        errors(
                                "/*@ddp eligible */ program P { version V { void N(void) = 0; } = 1; } = 1;\nstruct s { int ; };\n/*@ddp eligble */ struct t { int x; };"))
                .containsExactly("1:1 E301", "2:16 E101", "3:8 E302");
    }

    private static List<String> errors(String text, String... sidecar) {
        List<SourceFile> files = new ArrayList<>(List.of(new SourceFile("a.x", text)));
        for (String each : sidecar) {
            files.add(new SourceFile("a.ulb", each));
        }
        return XdrCompiler.analyze(files).diagnostics().stream()
                .sorted(Comparator.comparingInt(
                                (Diagnostic each) -> each.primary().line())
                        .thenComparingInt(each -> each.primary().column()))
                .map(each -> each.primary().line() + ":" + each.primary().column() + " " + each.code())
                .toList();
    }
}
