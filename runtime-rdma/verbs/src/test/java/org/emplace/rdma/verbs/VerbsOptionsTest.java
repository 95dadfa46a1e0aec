// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.emplace.rdma.verbs.event.CompletionHandler;
import org.emplace.rdma.verbs.memory.RemoteAccessStrategy.Mode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerbsOptionsTest {

    @AfterEach
    void forget() {
        System.getProperties().keySet().removeIf(key -> key.toString().startsWith(VerbsOptions.PREFIX));
    }

    @Test
    void withoutPropertiesCompletionsComeByEventAndAccessAsTheDeviceCan() {
        VerbsOptions options = VerbsOptions.fromSystemProperties();
        assertThat(options.spin()).isEqualTo(Duration.ofNanos(50_000));
        assertThat(options.registration()).isEqualTo(Mode.AUTOMATIC);
    }

    @Test
    void propertiesChoose() {
        System.setProperty("org.emplace.rdma.verbs.polling", "busy");
        System.setProperty("org.emplace.rdma.verbs.registration", "Call");
        VerbsOptions options = VerbsOptions.fromSystemProperties();
        assertThat(options.spin()).isEqualTo(CompletionHandler.BUSY);
        assertThat(options.registration()).isEqualTo(Mode.PER_CALL);
    }

    @ParameterizedTest
    @CsvSource({"polling, sometimes", "registration, all", "sends, many", "inline, -1"})
    void aValueThatMakesNoSenseIsNamed(String property, String value) {
        System.setProperty("org.emplace.rdma.verbs." + property, value);
        assertThatThrownBy(VerbsOptions::fromSystemProperties)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-Dorg.emplace.rdma.verbs." + property + "=" + value);
    }
}
