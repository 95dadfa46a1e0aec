// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.emplace.interop.Recoder.Sample;
import org.emplace.tests.codegen.random.CodedType.Recoded;
import org.emplace.tests.codegen.random.RandomValue;

/**
 * A value that our generated code and C's must decode to the same.
 *
 * @param origin the source of the value, for failure messages
 */
record Trial(SharedType type, RandomValue value, Object origin) {

    /** Decodes the values and encodes them again, in both languages. */
    static void assertSameInJavaAndInC(List<Trial> trials, Recoder recoder) throws IOException, InterruptedException {
        List<Sample> samples = trials.stream()
                .map(each -> new Sample(each.type(), each.value().encoding()))
                .toList();
        List<Optional<Recoded>> inC = recoder.recoded(samples);

        assertThat(inC).hasSameSizeAs(trials);
        for (int i = 0; i < trials.size(); i++) {
            Trial trial = trials.get(i);
            RandomValue value = trial.value();
            Recoded expected =
                    new Recoded(HexFormat.of().formatHex(value.encoding().bytes()), value.text());
            assertThat(trial.type().coded().recoded(value.encoding()))
                    .as("%s in Java, of %s", trial.type(), trial.origin())
                    .isEqualTo(expected);
            assertThat(inC.get(i))
                    .as("%s in C, of %s", trial.type(), trial.origin())
                    .contains(expected);
        }
    }
}
