// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.emplace.interop.Recoder.Sample;
import org.emplace.tests.codegen.random.CodedType;
import org.emplace.tests.codegen.random.CodedType.Recoded;
import org.emplace.tests.codegen.random.MutatedBytes;
import org.emplace.tests.codegen.random.RandomValue;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrOpaque;

/**
 * Bytes that our generated code and C's must both reject or decode to the same value, except for {@link LooseReading.Liberty}.
 *
 * @param origin the source of the bytes, for failure messages
 */
record MutationTrial(SharedType type, XdrOpaque bytes, Object origin) {

    /** Corrupts a random value of each type in several ways. */
    static List<MutationTrial> of(List<SharedType> types, Random random, Object origin) {
        List<MutationTrial> trials = new ArrayList<>();
        for (SharedType type : types) {
            CodedType<?> coded = type.coded();
            RandomValue value = RandomValue.of(coded.types(), coded.protocol(), coded.clauses(), random);
            MutatedBytes.of(value.encoding(), random)
                    .forEach(bytes -> trials.add(new MutationTrial(type, bytes, origin)));
        }
        return trials;
    }

    /** Decodes the bytes in both languages, and encodes accepted values again. */
    static void assertAgreed(List<MutationTrial> trials, Recoder recoder) throws IOException, InterruptedException {
        List<Optional<Recoded>> inC = recoder.recoded(trials.stream()
                .map(each -> new Sample(each.type(), each.bytes()))
                .toList());
        assertThat(inC).hasSameSizeAs(trials);
        for (int i = 0; i < trials.size(); i++) {
            trials.get(i).assertAgreed(inC.get(i));
        }
    }

    private void assertAgreed(Optional<Recoded> inC) throws IOException {
        Optional<Recoded> inJava = inJava();
        CodedType<?> coded = type.coded();
        Optional<LooseReading> reading = LooseReading.of(coded.types(), coded.protocol(), coded.clauses(), bytes);

        assertThat(inC.isPresent()).as("taken in C: %s", this).isEqualTo(reading.isPresent());
        assertThat(inJava.map(Recoded::text))
                .as("in Java: %s", this)
                .isEqualTo(reading.filter(it -> !it.isMalformed()).map(LooseReading::text));
        if (inJava.isPresent() && reading.orElseThrow().isCutInC()) {
            assertThat(inC.map(Recoded::text))
                    .as("in C: %s", this)
                    .contains(reading.orElseThrow().textInC());
        } else if (inJava.isPresent()) {
            assertThat(inC).as("in C: %s", this).isEqualTo(inJava);
        }
    }

    private Optional<Recoded> inJava() throws IOException {
        try {
            return Optional.of(type.coded().recoded(bytes));
        } catch (XdrException refused) {
            return Optional.empty();
        }
    }
}
