// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.emplace.xdr.XdrString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileNamesTest {
    private static final XdrString NOT_UTF8 =
            XdrString.of(new byte[] {'a', (byte) 0xff, ' ', '%', '?', (byte) 0xc3, '#'});

    @TempDir
    private Path directory = Path.of("");

    @Test
    void aNameThatIsNoTextInAnyLocaleComesBackFromTheDiskAsItWas() throws IOException {
        Files.createFile(FileNames.in(directory, NOT_UTF8));
        try (Stream<Path> entries = Files.list(directory)) {
            assertThat(entries.map(Path::getFileName).map(FileNames::of)).containsExactly(NOT_UTF8);
        }
    }

    @Test
    void theNameOfADirectoryHasNoSlash() {
        assertThat(FileNames.of(Path.of("tmp"))).isEqualTo(XdrString.of("tmp"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"../up", "/tmp", "a", "a/../b", "..", "/", "a b/ü"})
    void aLinksTargetComesBackFromTheDiskAsItWas(String target) throws IOException {
        Path link = directory.resolve("link");
        Files.createSymbolicLink(link, FileNames.target(link, XdrString.of(target)));
        assertThat(FileNames.of(Files.readSymbolicLink(link))).isEqualTo(XdrString.of(target));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/b", "/", "a\0"})
    void namesThatLeadElsewhereAreInvalid(String name) {
        assertThatThrownBy(() -> FileNames.in(directory, XdrString.of(name))).isInstanceOf(IOException.class);
    }
}
