// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HandleCodecTest {
    private static final FileId FILE = new FileId(new FileKey(0, 0x123456789aL), 7);

    @TempDir
    Path folder;

    @Test
    void aHandleNamesItsFile() {
        HandleCodec codec = new HandleCodec(HandleKey.random());
        assertThat(codec.decode(codec.encode(FILE))).contains(FILE);
        assertThat(codec.encode(FILE).bytes()).hasSizeLessThanOrEqualTo(64);
    }

    @Test
    void aHandleWithAnyBitChangedIsNone() {
        HandleCodec codec = new HandleCodec(HandleKey.random());
        byte[] handle = codec.encode(FILE).bytes();
        for (int bit = 0; bit < handle.length * 8; bit++) {
            byte[] changed = handle.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(codec.decode(new FileHandle(changed))).isEmpty();
        }
    }

    @Test
    void handlesOfOtherLengthsAreNone() {
        HandleCodec codec = new HandleCodec(HandleKey.random());
        for (int length = 0; length <= 64; length++) {
            assertThat(codec.decode(new FileHandle(new byte[length]))).isEmpty();
        }
    }

    @Test
    void anotherKeysHandleIsNone() {
        FileHandle handle = new HandleCodec(HandleKey.random()).encode(FILE);
        assertThat(new HandleCodec(HandleKey.random()).decode(handle)).isEmpty();
    }

    @Test
    void aKeyIsKeptInAFileForItsOwnerAlone() throws IOException {
        Path file = folder.resolve("key");
        FileHandle handle = new HandleCodec(HandleKey.in(file)).encode(FILE);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(new HandleCodec(HandleKey.in(file)).decode(handle)).contains(FILE);
    }

    @Test
    void aKeyThatOthersMayReadIsRefused() throws IOException {
        Path file = folder.resolve("key");
        HandleKey.in(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> HandleKey.in(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("others may read it");
    }

    @Test
    void generationsOutliveTheServer() throws IOException {
        Path file = folder.resolve("generations");
        try (Generations generations = Generations.in(file)) {
            assertThat(generations.current(FILE.key()).generation()).isZero();
            generations.retire(FILE.key());
            generations.retire(FILE.key());
        }
        try (Generations generations = Generations.in(file)) {
            assertThat(generations.current(FILE.key()).generation()).isEqualTo(2);
        }
    }

    @Test
    void aTornJournalIsReadUpToTheTear() throws IOException {
        Path file = folder.resolve("generations");
        try (Generations generations = Generations.in(file)) {
            generations.retire(FILE.key());
            generations.retire(new FileKey(0, 1));
        }
        byte[] journal = Files.readAllBytes(file);
        Files.write(file, java.util.Arrays.copyOf(journal, journal.length - 3));
        try (Generations generations = Generations.in(file)) {
            assertThat(generations.current(FILE.key()).generation()).isEqualTo(1);
            assertThat(generations.current(new FileKey(0, 1)).generation()).isZero();
        }
    }
}
