// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalInt;
import org.emplace.xdr.XdrString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RemotePathTest {

    @Test
    void aUrlIsSplitIntoHostPortAndNames() {
        RemotePath path = RemotePath.parse("nfs://server:1234/export/a/b");
        assertThat(path.host()).isEqualTo("server");
        assertThat(path.port()).isEqualTo(OptionalInt.of(1234));
        assertThat(path.components()).containsExactly(XdrString.of("export"), XdrString.of("a"), XdrString.of("b"));
    }

    @Test
    void anAddressOfIPv6StandsInBrackets() {
        RemotePath path = RemotePath.parse("nfs://[::1]:2049/e");
        assertThat(path.host()).isEqualTo("::1");
        assertThat(path.port()).hasValue(2049);
        assertThat(path).hasToString("nfs://[::1]:2049/e");
    }

    @Test
    void aPercentSignAndTwoDigitsAreOneByteOfAName() {
        RemotePath path = RemotePath.parse("nfs://h/%ff%2520ä");
        assertThat(path.name())
                .isEqualTo(XdrString.of(new byte[] {(byte) 0xff, '%', '2', '0', (byte) 0xc3, (byte) 0xa4}));
    }

    @Test
    void optionsFollowTheQuestionMark() {
        RemotePath path = RemotePath.parse("nfs://h/a%3F?proto=tcp&hard");
        assertThat(path.name()).isEqualTo(XdrString.of("a?"));
        assertThat(path.options()).isEqualTo("proto=tcp&hard");
        assertThat(path.toUri()).hasToString("nfs://h/a%3F?proto=tcp&hard");
        assertThat(path).hasToString("nfs://h/a?");
    }

    @Test
    void dotsAndEmptyNamesAreRemoved() {
        assertThat(RemotePath.parse("nfs://h//a/./b/../../c/")).isEqualTo(RemotePath.parse("nfs://h/c"));
        assertThat(RemotePath.parse("nfs://h/../..")).isEqualTo(RemotePath.parse("nfs://h"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "server:/export",
                "http://h/e",
                "nfs://",
                "nfs:///e",
                "nfs://h:0/e",
                "nfs://h:x/e",
                "nfs://h:/e",
                "nfs://h/%2f",
                "nfs://h/%zz",
                "nfs://h/%2",
                "nfs://h/%00",
                "nfs://h/%2e%2e/x",
                "nfs://h/what?",
                "nfs://h/what?/x",
                "nfs://h/e?a=b c"
            })
    void invalidUrlsAreRejected(String text) {
        assertThatThrownBy(() -> RemotePath.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text);
    }

    @Test
    void aMessageShowsNoControlCharacters() {
        assertThat(RemotePath.parse("nfs://h/a%1b%5b2Jb")).hasToString("nfs://h/a?[2Jb");
    }
}
