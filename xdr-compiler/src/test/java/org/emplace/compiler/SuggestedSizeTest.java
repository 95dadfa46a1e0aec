// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.suggest.Candidates;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The size that is suggested for a result, and the results for which none is right. */
class SuggestedSizeTest {

    /** A number in the arguments may count the bytes of a result, but a protocol does not say so, and of which result. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            opaque handle[32]; unsigned hyper offset; unsigned int count   | opaque out<>;
            unsigned int maxsize                                           | opaque out<>;
            opaque fh<64>; unsigned hyper offset; unsigned int count       | opaque attributes<>; opaque out<>;
            unsigned int count                                             | int status; opaque error_text<>;
            string name<>; unsigned int size                               | int status; opaque handle<>;
            unsigned hyper block; unsigned int count                       | opaque blocks<>;
            int cmd; bool network_order; int datasize; opaque data_in<>    | opaque out<>;
            unsigned hyper first; unsigned int count                       | hyper values<>;
            """)
    void noArgumentIsSuggestedAsTheSizeOfAResult(String arguments, String results) {
        String xdr = "struct a { " + arguments + "; }; struct result { " + results
                + " }; program P { version V { result GET(a) = 1; } = 1; } = 0x20000300;";

        assertThat(Candidates.of(
                        Sources.meaning(xdr).protocol(), Sources.meaning(xdr).binding()))
                .filteredOn(candidate -> candidate.objection().isEmpty()
                        && candidate.uses().stream().anyMatch(use -> use.isResult()))
                .isNotEmpty()
                .allSatisfy(candidate -> {
                    assertThat(candidate.clauses()).isEqualTo("eligible; size unbounded");
                    assertThat(candidate.adviceOnSize().orElseThrow()).contains("an argument (args.NAME)");
                });
    }

    @Test
    void aResultWithoutABoundIsNotSuggestedWhereItMayTakeTheChunkOfAnAbsentOne() {
        String info = "struct info { /*@ddp eligible */ opaque title<9000>; };";

        assertThat(judged(info + "struct result { info *details; opaque out<>; };"))
                .containsExactly(
                        "result.out: in a reply where `results.details` is absent, `results.out`, which has no bound,"
                                + " lands in a Write chunk that was offered for another result");
        assertThat(judged(info + "struct result { info details; opaque out<>; };"))
                .containsExactly("result.out: eligible; size unbounded");
        assertThat(judged(info + "struct result { opaque out<>; info *details; };"))
                .containsExactly("result.out: eligible; size unbounded");
        assertThat(judged("struct each { opaque out<>; }; struct result { each *first; each second; };"))
                .singleElement()
                .asString()
                .startsWith("each.out: in a reply where `results.first` is absent");
    }

    @Test
    void neitherIsItWhereItMayTakeTheChunkOfAnotherSuggestion() {
        assertThat(judged("struct info { opaque title<9000>; }; struct result { info *details; opaque out<>; };"))
                .satisfiesExactly(
                        title -> assertThat(title).isEqualTo("info.title: eligible"),
                        out -> assertThat(out).startsWith("result.out: in a reply where `results.details` is absent"));
    }

    @Test
    void nothingIsSuggestedWhoseChunkMayTakeAnEligibleResultWithoutABound() {
        String info = "struct info { opaque title<9000>; };";

        assertThat(judged(info + "struct result { info *details; /*@ddp eligible; size unbounded */ opaque out<>; };"))
                .singleElement()
                .asString()
                .startsWith("info.title: in a reply where `results.details` is absent, `results.out`");
        assertThat(judged(info + "struct result { info *details; /*@ddp eligible; size 90000 */ opaque out<>; };"))
                .containsExactly("info.title: eligible");
    }

    /** Each candidate with its clauses or, if it is not suggested, the objection. */
    private static List<String> judged(String types) {
        JavaModel model =
                Sources.meaning(types + "program P { version V { result GET(int) = 1; } = 1; } = 0x20000300;");
        return Candidates.of(model.protocol(), model.binding()).stream()
                .map(each -> each.item() + ": " + each.objection().orElse(each.clauses()))
                .toList();
    }
}
