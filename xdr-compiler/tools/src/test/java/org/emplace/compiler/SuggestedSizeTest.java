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
                    assertThat(candidate.adviceOnSize().orElseThrow())
                            .contains("names no destination has 64 KiB", "an argument (args.NAME)");
                });
    }

    @Test
    void aResultWithoutABoundIsSuggestedAlsoWhereAnItemBeforeItMayBeAbsent() {
        assertThat(judged("struct info { opaque title<9000>; }; struct result { info *details; opaque out<>; };"))
                .containsExactly("info.title: eligible", "result.out: eligible; size unbounded");
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
