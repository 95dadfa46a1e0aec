// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.emplace.samples.nfs.server.export.Exported.CALLER;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.emplace.samples.nfs.server.handle.FileHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NamespaceTest {
    @TempDir
    Path temporary;

    private static void assertFailure(Failure failure, ThrowingCallable operation) {
        assertThatThrownBy(operation)
                .satisfies(thrown -> assertThat(ErrorMapping.failureOf(thrown)).isEqualTo(failure));
    }

    @ParameterizedTest
    @EnumSource
    void whatIsMadeIsFoundAndKeepsItsHandleWhenItIsRenamed(Exported.On where) throws IOException {
        try (Exported exported = Exported.on(where, temporary)) {
            FileHandle root = exported.root();
            FileHandle a = exported.makeDirectory(root, "a");
            FileHandle file = exported.create(a, "file");
            exported.write(file, 0, "hello");
            exported.export().namespace().rename(CALLER, root, FileName.of("a"), root, FileName.of("b"));
            exported.export().namespace().rename(CALLER, a, FileName.of("file"), root, FileName.of("moved"));
            assertThat(exported.lookup("b")).isEqualTo(a);
            assertThat(exported.lookup("moved")).isEqualTo(file);
            assertThat(exported.read(file)).isEqualTo("hello");
        }
    }

    @ParameterizedTest
    @EnumSource
    void namesThatAreNoneAreRefusedAsTheProtocolSays(Exported.On where) throws IOException {
        try (Exported exported = Exported.on(where, temporary)) {
            FileHandle root = exported.root();
            Namespace names = exported.export().namespace();
            for (String name : new String[] {"", "a/b", "/", "a\0b"}) {
                assertFailure(Failure.ACCES, () -> exported.create(root, name));
                assertFailure(Failure.ACCES, () -> names.lookup(CALLER, root, FileName.of(name)));
            }
            for (String name : new String[] {".", ".."}) {
                assertFailure(Failure.EXIST, () -> exported.makeDirectory(root, name));
                assertFailure(
                        Failure.INVAL, () -> names.rename(CALLER, root, FileName.of(name), root, FileName.of("x")));
            }
            assertFailure(Failure.INVAL, () -> names.removeDirectory(CALLER, root, FileName.of(".")));
            assertFailure(Failure.EXIST, () -> names.removeDirectory(CALLER, root, FileName.of("..")));
        }
    }

    @Test
    void aNameThatIsTooLongIsSaidToBe() throws IOException {
        try (Exported exported = Exported.on(Exported.On.LOCAL, temporary)) {
            assertFailure(Failure.NAMETOOLONG, () -> exported.create(exported.root(), "x".repeat(256)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void nobodyLeavesTheExportByDots(Exported.On where) throws IOException {
        try (Exported exported = Exported.on(where, temporary)) {
            FileHandle below = exported.makeDirectory(exported.root(), "below");
            assertThat(exported.lookup("..")).isEqualTo(exported.root());
            assertThat(exported.lookup("below", "..")).isEqualTo(exported.root());
            assertThat(exported.lookup("below", ".")).isEqualTo(below);
        }
    }

    @Test
    void symbolicLinksAreNotFollowed() throws IOException {
        Path outside = Files.createDirectory(temporary.resolve("outside"));
        Files.writeString(outside.resolve("secret"), "secret");
        try (Exported exported = Exported.on(Exported.On.LOCAL, temporary)) {
            FileHandle root = exported.root();
            byte[] target = outside.toString().getBytes(StandardCharsets.UTF_8);
            Namespace names = exported.export().namespace();
            FileHandle link = exported.export()
                    .handle(names.makeSymbolicLink(CALLER, root, FileName.of("link"), target, AttributeChange.NONE)
                            .file());
            assertThat(names.readLink(link)).isEqualTo(target);
            assertFailure(Failure.NOTDIR, () -> names.lookup(CALLER, link, FileName.of("secret")));
            assertFailure(Failure.INVAL, () -> exported.read(link));
        }
    }

    @Test
    void aDirectoryReplacedByASymbolicLinkIsNotGoneThrough() throws IOException {
        Path outside = Files.createDirectory(temporary.resolve("outside"));
        Files.writeString(outside.resolve("file"), "outside");
        try (Exported exported = Exported.on(Exported.On.LOCAL, temporary)) {
            FileHandle inside = exported.makeDirectory(exported.root(), "inside");
            FileHandle file = exported.create(inside, "file");
            Files.move(exported.directory.resolve("inside"), temporary.resolve("taken away"));
            Files.createSymbolicLink(exported.directory.resolve("inside"), temporary.resolve("taken away"));
            assertFailure(Failure.STALE, () -> exported.read(file));
            assertFailure(Failure.STALE, () -> exported.create(inside, "new"));
        }
    }

    @Test
    void namesAndLinksKeepBytesThatAreNotUtf8() throws IOException {
        byte[] odd = {'a', (byte) 0xff, (byte) 0xe9, ' ', '%', '\\', (byte) 0x80};
        byte[] target = {'.', '.', '/', (byte) 0xc3, '(', '/', 'x', '/'};
        try (Exported exported = Exported.on(Exported.On.LOCAL, temporary)) {
            FileHandle root = exported.root();
            Namespace names = exported.export().namespace();
            names.makeSymbolicLink(CALLER, root, new FileName(odd), target, AttributeChange.NONE);
            FileHandle link = exported.export().handle(names.lookup(CALLER, root, new FileName(odd)));
            assertThat(names.readLink(link)).isEqualTo(target);
            List<FileName> listed = new ArrayList<>();
            exported.export()
                    .directories()
                    .list(CALLER, root, 2, verifier(exported), entry -> listed.add(entry.name()));
            assertThat(listed).containsExactly(new FileName(odd));
            names.remove(CALLER, root, new FileName(odd));
            assertThat(exported.list(root, 10)).containsExactly(".", "..");
        }
    }

    private static long verifier(Exported exported) throws IOException {
        return exported.export()
                .directories()
                .list(CALLER, exported.root(), 0, 0, entry -> false)
                .verifier();
    }

    @ParameterizedTest
    @EnumSource
    void removingTakesWhatItSaysAndNothingElse(Exported.On where) throws IOException {
        try (Exported exported = Exported.on(where, temporary)) {
            FileHandle root = exported.root();
            Namespace names = exported.export().namespace();
            FileHandle directory = exported.makeDirectory(root, "directory");
            FileHandle file = exported.create(directory, "file");
            assertFailure(Failure.NOTEMPTY, () -> names.removeDirectory(CALLER, root, FileName.of("directory")));
            assertFailure(Failure.ISDIR, () -> names.remove(CALLER, root, FileName.of("directory")));
            assertFailure(Failure.NOTDIR, () -> names.removeDirectory(CALLER, directory, FileName.of("file")));
            assertFailure(Failure.NOENT, () -> names.remove(CALLER, root, FileName.of("nothing")));
            names.remove(CALLER, directory, FileName.of("file"));
            names.removeDirectory(CALLER, root, FileName.of("directory"));
            assertFailure(Failure.STALE, () -> exported.attributes(file));
            assertFailure(Failure.STALE, () -> exported.attributes(directory));
        }
    }

    @Test
    void aFileThatGetsARemovedOnesInodeDoesNotGetItsHandles() throws IOException {
        try (Exported exported = Exported.on(Exported.On.LOCAL, temporary)) {
            FileHandle root = exported.root();
            for (int i = 0; i < 20; i++) {
                FileHandle old = exported.create(root, "old");
                exported.export().namespace().remove(CALLER, root, FileName.of("old"));
                FileHandle fresh = exported.create(root, "new");
                assertThat(fresh).isNotEqualTo(old);
                assertFailure(Failure.STALE, () -> exported.attributes(old));
                exported.restart();
                assertThat(exported.lookup("new")).isEqualTo(fresh);
                assertFailure(Failure.STALE, () -> exported.attributes(old));
                exported.export().namespace().remove(CALLER, root, FileName.of("new"));
            }
        }
    }

    @Test
    void handlesOutliveTheServer() throws IOException {
        try (Exported exported = Exported.on(Exported.On.LOCAL, temporary)) {
            FileHandle deep = exported.root();
            for (int i = 0; i < 10; i++) {
                deep = exported.makeDirectory(deep, "d" + i);
            }
            FileHandle file = exported.create(deep, "file");
            exported.write(file, 0, "still here");
            exported.restart();
            assertThat(exported.read(file)).isEqualTo("still here");
            assertThat(exported.attributes(deep).isDirectory()).isTrue();
        }
    }

    @Test
    void aFileThatSomebodyElseMovedIsFoundAgain() throws IOException {
        try (Exported exported = Exported.on(Exported.On.LOCAL, temporary)) {
            FileHandle file = exported.create(exported.makeDirectory(exported.root(), "a"), "file");
            Files.createDirectory(exported.directory.resolve("b"));
            Files.move(exported.directory.resolve("a/file"), exported.directory.resolve("b/other"));
            assertThat(exported.attributes(file).isRegular()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void renamingReplacesWhatIsOfAKind(Exported.On where) throws IOException {
        try (Exported exported = Exported.on(where, temporary)) {
            FileHandle root = exported.root();
            Namespace names = exported.export().namespace();
            FileHandle a = exported.create(root, "a");
            FileHandle b = exported.create(root, "b");
            exported.makeDirectory(root, "d");
            exported.write(a, 0, "a");
            names.rename(CALLER, root, FileName.of("a"), root, FileName.of("b"));
            assertThat(exported.lookup("b")).isEqualTo(a);
            assertFailure(Failure.STALE, () -> exported.attributes(b));
            assertFailure(Failure.EXIST, () -> names.rename(CALLER, root, FileName.of("b"), root, FileName.of("d")));
            assertFailure(Failure.EXIST, () -> names.rename(CALLER, root, FileName.of("d"), root, FileName.of("b")));
        }
    }

    @Test
    void aDirectoryIsNotMovedIntoItself() throws IOException {
        try (Exported exported = Exported.on(Exported.On.LOCAL, temporary)) {
            FileHandle d = exported.makeDirectory(exported.root(), "d");
            assertFailure(
                    Failure.INVAL,
                    () -> exported.export()
                            .namespace()
                            .rename(CALLER, exported.root(), FileName.of("d"), d, FileName.of("e")));
        }
    }

    @Test
    void aFileWithTwoNamesOutlivesOne() throws IOException {
        try (Exported exported = Exported.on(Exported.On.LOCAL, temporary)) {
            FileHandle root = exported.root();
            FileHandle file = exported.create(root, "one");
            Made linked = exported.export().namespace().link(CALLER, file, root, FileName.of("two"));
            assertThat(linked.file().attributes().links()).isEqualTo(2);
            exported.export().namespace().remove(CALLER, root, FileName.of("one"));
            assertThat(exported.attributes(file).links()).isEqualTo(1);
            assertThat(exported.lookup("two")).isEqualTo(file);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anExclusiveCreationCanBeRepeatedByTheSameCallerAlone(Exported.On where) throws IOException {
        try (Exported exported = Exported.on(where, temporary)) {
            FileHandle root = exported.root();
            Namespace names = exported.export().namespace();
            long verifier = 0x89abcdef12345678L;
            FileHandle file = exported.export()
                    .handle(names.create(CALLER, root, FileName.of("file"), new Creation.Exclusive(verifier))
                            .file());
            Node again = names.create(CALLER, root, FileName.of("file"), new Creation.Exclusive(verifier))
                    .file();
            assertThat(exported.export().handle(again)).isEqualTo(file);
            assertFailure(
                    Failure.EXIST,
                    () -> names.create(CALLER, root, FileName.of("file"), new Creation.Exclusive(verifier + 1)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void changesTellBothSidesOfTheDirectory(Exported.On where) throws IOException {
        try (Exported exported = Exported.on(where, temporary)) {
            FileHandle root = exported.root();
            FileAttributes before = exported.attributes(root);
            WeakCacheAttributes change = exported.export()
                    .namespace()
                    .create(CALLER, root, FileName.of("file"), new Creation.Guarded(AttributeChange.NONE))
                    .directory();
            assertThat(change.before()).map(FileAttributes::changed).contains(before.changed());
            assertThat(change.after()).contains(exported.attributes(root));
        }
    }

    @Test
    void pathsBelowTheExportCanBeMountedAndNoOthers() throws IOException {
        try (Exported exported = Exported.on(Exported.On.LOCAL, temporary)) {
            FileHandle below = exported.makeDirectory(exported.root(), "below");
            exported.create(exported.root(), "file");
            String path = new String(exported.export().path(), StandardCharsets.UTF_8);
            assertThat(mounted(exported, path)).isEqualTo(exported.root());
            assertThat(mounted(exported, path + "/below/")).isEqualTo(below);
            assertFailure(Failure.ACCES, () -> mounted(exported, "/"));
            assertFailure(Failure.ACCES, () -> mounted(exported, path + "/.."));
            assertFailure(Failure.ACCES, () -> mounted(exported, path + "2"));
            assertFailure(Failure.NOENT, () -> mounted(exported, path + "/nothing"));
            assertFailure(Failure.NOTDIR, () -> mounted(exported, path + "/file"));
        }
    }

    private static FileHandle mounted(Exported exported, String path) throws IOException {
        return exported.export().handle(exported.export().mount(CALLER, path.getBytes(StandardCharsets.UTF_8)));
    }
}
