// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.suggest.Candidate;
import org.emplace.compiler.suggest.Candidates;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The size that is suggested for a result: an argument's only where that is the largest size of the result in bytes. */
class SuggestedSizeTest {

    private static final String UNBOUNDED = "eligible; size unbounded";

    @ParameterizedTest
    @CsvSource({
        "opaque handle[32]; unsigned hyper offset; unsigned int count, count",
        "opaque handle<64>; unsigned int maxsize, maxsize",
        "string path<>; int ra_len, ra_len",
        "int lid; unsigned int requestSize; int timeout, requestSize",
        "unsigned int max_bytes, max_bytes",
        "int blocksize; int byteCount, byteCount"
    })
    void anArgumentThatCountsTheBytesOfTheResultIsSuggested(String members, String argument) {
        assertThat(suggested(members, "opaque")).isEqualTo("eligible; size args." + argument);
    }

    /** The number may be about these arguments. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "int cmd; bool network_order; int datasize; opaque data_in<>",
                "unsigned int count; opaque data<>",
                "opaque data<>; unsigned int count",
                "unsigned int count; string names<>",
                "unsigned int len; int values<>",
                "hyper values<10>; unsigned int length",
                "unsigned int count; struct { opaque in<20>; } rest",
                "unsigned int count; union switch (int which) { case 1: opaque in<>; default: void; } rest"
            })
    void aNumberThatMayBeAboutArgumentsIsNot(String members) {
        assertThat(suggested(members, "opaque")).isEqualTo(UNBOUNDED);
    }

    /** The number counts something else than the bytes of the result. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "unsigned int datasize",
                "unsigned int blocksize",
                "unsigned int page_size",
                "unsigned int maxentries",
                "unsigned int limit",
                "unsigned int max",
                "unsigned int dircount",
                "unsigned int account",
                "unsigned int count; unsigned int size"
            })
    void aNumberOfSomethingElseIsNot(String members) {
        assertThat(suggested(members, "opaque")).isEqualTo(UNBOUNDED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"int", "unsigned int", "hyper", "unsigned hyper", "float", "double"})
    void aNumberOfElementsIsNot(String element) {
        assertThat(suggested("unsigned hyper first; unsigned int count", element))
                .isEqualTo(UNBOUNDED);
    }

    @Test
    void severalArgumentsAreJudgedAsMembersAre() {
        assertThat(suggestions("struct r { opaque data<>; };"
                        + "program P { version V { r A(opaque handle[8], unsigned int count) = 1; } = 1; } = 1;"))
                .containsExactly("eligible; size args.count");
        assertThat(suggestions("struct r { opaque data<>; };"
                        + "program P { version V { r A(unsigned int count, opaque more<>) = 1; } = 1; } = 1;"))
                .containsExactly(UNBOUNDED);
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

    private static String suggested(String members, String element) {
        List<String> all = suggestions("struct a { " + members + "; }; struct result { " + element
                + " out<>; }; program P { version V { result GET(a) = 1; } = 1; } = 0x20000300;");
        return all.get(all.size() - 1);
    }

    private static List<String> suggestions(String xdr) {
        JavaModel model = Sources.meaning(xdr);
        return Candidates.of(model.protocol(), model.binding()).stream()
                .filter(candidate -> candidate.objection().isEmpty())
                .filter(candidate -> candidate.uses().stream().anyMatch(use -> use.isResult()))
                .map(Candidate::clauses)
                .toList();
    }
}
