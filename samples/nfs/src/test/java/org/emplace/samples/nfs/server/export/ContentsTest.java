// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.emplace.samples.nfs.server.export.Exported.CALLER;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.samples.nfs.server.handle.FileHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ContentsTest {
    @TempDir
    Path temporary;

    private static AttributeChange size(long size) {
        return new AttributeChange(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(size),
                new AttributeChange.NewTime.Kept(),
                new AttributeChange.NewTime.Kept());
    }

    @ParameterizedTest
    @EnumSource
    void whatIsWrittenIsRead(Exported.On where) throws IOException {
        try (Exported exported = Exported.on(where, temporary)) {
            FileHandle file = exported.create(exported.root(), "file");
            exported.write(file, 0, "hello world");
            exported.write(file, 6, "there");
            assertThat(exported.read(file)).isEqualTo("hello there");
        }
    }

    @Test
    void sizesAreSetBothWays() throws IOException {
        try (Exported exported = Exported.on(Exported.On.LOCAL, temporary)) {
            FileHandle file = exported.create(exported.root(), "file");
            exported.write(file, 0, "hello");
            exported.export().attributes().set(CALLER, file, size(3), Optional.empty());
            exported.export().attributes().set(CALLER, file, size(6), Optional.empty());
            assertThat(exported.read(file)).isEqualTo("hel\0\0\0");
        }
    }

    @Test
    void theVerifierStaysUntilTheServerRestarts() throws IOException {
        try (Exported exported = Exported.on(Exported.On.LOCAL, temporary)) {
            FileHandle file = exported.create(exported.root(), "file");
            ByteBuffer data = ByteBuffer.allocate(10);
            long written = exported.export()
                    .contents()
                    .write(CALLER, file, 0, data, Stability.UNSTABLE)
                    .verifier();
            long synced = exported.export()
                    .contents()
                    .write(CALLER, file, 0, data.rewind(), Stability.FILE_SYNC)
                    .verifier();
            assertThat(synced).isEqualTo(written);
            assertThat(exported.export().contents().commit(CALLER, file).verifier())
                    .isEqualTo(written);
            exported.restart();
            assertThat(exported.export().contents().commit(CALLER, file).verifier())
                    .isNotEqualTo(written);
        }
    }

    @Test
    void moreFilesAreUsedThanMayBeOpen() throws IOException {
        try (Exported exported = Exported.on(Exported.On.LOCAL, temporary, Exported.OPTIONS.withOpenFiles(3))) {
            List<FileHandle> files = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                files.add(exported.create(exported.root(), "file" + i));
                exported.write(files.get(i), 0, "content " + i);
            }
            for (int i = 0; i < 20; i++) {
                assertThat(exported.read(files.get(i))).isEqualTo("content " + i);
            }
        }
    }

    @Test
    void attributesAreTheSystemsOwn() throws IOException {
        try (Exported exported = Exported.on(Exported.On.LOCAL, temporary)) {
            FileHandle file = exported.create(exported.root(), "file");
            exported.write(file, 0, "hello");
            Path path = exported.directory.resolve("file");
            FileAttributes attributes = exported.attributes(file);
            assertThat(attributes.key().inode()).isEqualTo(Files.getAttribute(path, "unix:ino"));
            assertThat(attributes.changed()).isEqualTo(Files.getAttribute(path, "unix:ctime"));
            assertThat(attributes.mode()).isEqualTo(0644);
            assertThat(attributes.size()).isEqualTo(5);
        }
    }

    @Test
    void modesAndTimesAreSetExactly() throws IOException {
        try (Exported exported = Exported.on(Exported.On.LOCAL, temporary)) {
            FileHandle file = exported.create(exported.root(), "file");
            FileTime time = FileTime.from(Instant.parse("2001-02-03T04:05:06.123456789Z"));
            AttributeChange change = new AttributeChange(
                    Optional.of(04751),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    new AttributeChange.NewTime.ServersNow(),
                    new AttributeChange.NewTime.Given(time));
            exported.export().attributes().set(CALLER, file, change, Optional.empty());
            assertThat(exported.attributes(file).mode()).isEqualTo(04751);
            assertThat(exported.attributes(file).modified()).isEqualTo(time);
        }
    }

    @Test
    void aGuardThatDoesNotMatchPreventsTheChange() throws IOException {
        try (Exported exported = Exported.on(Exported.On.LOCAL, temporary)) {
            FileHandle file = exported.create(exported.root(), "file");
            FileTime changed = exported.attributes(file).changed();
            exported.export().attributes().set(CALLER, file, size(3), Optional.of(changed));
            assertThatThrownBy(() -> exported.export()
                            .attributes()
                            .set(CALLER, file, size(5), Optional.of(FileTime.fromMillis(0))))
                    .isInstanceOfSatisfying(
                            ExportException.class, e -> assertThat(e.failure()).isEqualTo(Failure.NOT_SYNC));
            assertThat(exported.attributes(file).size()).isEqualTo(3);
        }
    }

    @Test
    void aFileMadeReadOnlyCanStillBeWrittenByItsMaker() throws IOException {
        try (Exported exported = Exported.on(Exported.On.LOCAL, temporary)) {
            FileHandle file = exported.export()
                    .handle(exported.export()
                            .namespace()
                            .create(
                                    CALLER,
                                    exported.root(),
                                    FileName.of("file"),
                                    new Creation.Guarded(AttributeChange.NONE.withMode(0444)))
                            .file());
            exported.write(file, 0, "hello");
            assertThat(exported.attributes(file).mode()).isEqualTo(0444);
            assertThat(exported.read(file)).isEqualTo("hello");
        }
    }
}
