// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.emplace.samples.nfs.server.handle.FileHandle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an export refuses by itself, where callers act as who they say they are. */
class CallerRightsTest {
    private static final Caller SUPERUSER = new Caller(0, 0, Set.of());

    @TempDir
    Path temporary;

    private Exported exported;
    private FileHandle root;
    private Caller maker;
    private Caller colleague;
    private Caller stranger;

    @BeforeEach
    void export() throws IOException {
        exported = Exported.on(Exported.On.LOCAL, temporary, Exported.OPTIONS.withIdentity(Identity.CALLER));
        root = exported.root();
        setMode(exported.directory, 0777);
        long user = exported.attributes(root).uid();
        // Root could give files to anybody, but is refused nothing; anybody else can give files to itself only.
        maker = user == 0
                ? new Caller(1000, 1000, Set.of())
                : new Caller(user, exported.attributes(root).gid(), Set.of());
        colleague = new Caller(maker.uid() + 1, maker.gid() + 1, Set.of(maker.gid()));
        stranger = new Caller(maker.uid() + 2, maker.gid() + 2, Set.of());
    }

    @AfterEach
    void close() throws IOException {
        exported.close();
    }

    @Test
    void newFilesAndDirectoriesBelongToTheirMaker() throws IOException {
        for (FileHandle made : new FileHandle[] {create("file", 0640), makeDirectory("directory", 0750)}) {
            assertThat(exported.attributes(made).uid()).isEqualTo(maker.uid());
            assertThat(exported.attributes(made).gid()).isEqualTo(maker.gid());
        }
    }

    @Test
    void contentIsReadAndWrittenAsTheModeBitsSay() throws IOException {
        FileHandle file = create("file", 0640);

        read(maker, file);
        write(maker, file);
        read(colleague, file);
        assertRefused(Failure.ACCES, () -> write(colleague, file));
        assertRefused(Failure.ACCES, () -> read(stranger, file));
        assertRefused(Failure.ACCES, () -> write(stranger, file));
        read(SUPERUSER, file);
        write(SUPERUSER, file);
    }

    @Test
    void accessTellsWhatWouldBeAllowed() throws IOException {
        Node file = exported.export().attributes().get(create("file", 0640));

        assertThat(access(maker, file)).isEqualTo(0x01 | 0x04 | 0x08);
        assertThat(access(colleague, file)).isEqualTo(0x01);
        assertThat(access(stranger, file)).isZero();
    }

    @Test
    void whoMayNotSearchADirectoryFindsAndMakesNothingInIt() throws IOException {
        FileHandle directory = makeDirectory("directory", 0750);
        Namespace names = exported.export().namespace();
        names.create(maker, directory, FileName.of("file"), new Creation.Guarded(AttributeChange.NONE));

        names.lookup(colleague, directory, FileName.of("file"));
        assertRefused(Failure.ACCES, () -> names.lookup(stranger, directory, FileName.of("file")));
        assertRefused(
                Failure.ACCES,
                () -> names.makeDirectory(colleague, directory, FileName.of("new"), AttributeChange.NONE));
        assertRefused(Failure.ACCES, () -> names.remove(colleague, directory, FileName.of("file")));
    }

    @Test
    void onlyItsOwnerChangesAFilesMode() throws IOException {
        FileHandle file = create("file", 0666);

        assertRefused(Failure.PERM, () -> set(stranger, file, AttributeChange.NONE.withMode(0777)));
        set(maker, file, AttributeChange.NONE.withMode(0600));
        assertThat(exported.attributes(file).mode()).isEqualTo(0600);
        set(SUPERUSER, file, AttributeChange.NONE.withMode(0644));
        assertThat(exported.attributes(file).mode()).isEqualTo(0644);
    }

    @Test
    void nobodyGivesFilesAwayOrTakesThem() throws IOException {
        FileHandle file = create("file", 0666);

        assertRefused(Failure.PERM, () -> set(maker, file, owner(stranger)));
        assertRefused(Failure.PERM, () -> set(stranger, file, owner(stranger)));
        set(maker, file, owner(maker));
    }

    @Test
    void inAStickyDirectoryOnlyItsOwnerTakesAFileAway() throws IOException {
        create("file", 0666);
        Namespace names = exported.export().namespace();
        setMode(exported.directory, 01777);

        assertRefused(Failure.PERM, () -> names.remove(stranger, root, FileName.of("file")));
        assertRefused(
                Failure.PERM, () -> names.rename(stranger, root, FileName.of("file"), root, FileName.of("stolen")));
        names.remove(maker, root, FileName.of("file"));
        assertThat(exported.directory).isEmptyDirectory();
    }

    private static void assertRefused(Failure failure, ThrowingCallable operation) {
        assertThatThrownBy(operation)
                .satisfies(thrown -> assertThat(ErrorMapping.failureOf(thrown)).isEqualTo(failure));
    }

    private static void setMode(Path path, int mode) throws IOException {
        Files.setAttribute(path, "unix:mode", mode);
    }

    private FileHandle create(String name, int mode) throws IOException {
        Creation how = new Creation.Guarded(AttributeChange.NONE.withMode(mode));
        return exported.export()
                .handle(exported.export()
                        .namespace()
                        .create(maker, root, FileName.of(name), how)
                        .file());
    }

    private FileHandle makeDirectory(String name, int mode) throws IOException {
        return exported.export()
                .handle(exported.export()
                        .namespace()
                        .makeDirectory(maker, root, FileName.of(name), AttributeChange.NONE.withMode(mode))
                        .file());
    }

    private void read(Caller caller, FileHandle file) throws IOException {
        exported.export().contents().read(caller, file).close();
    }

    private void write(Caller caller, FileHandle file) throws IOException {
        exported.export().contents().write(caller, file, 0, ByteBuffer.allocate(1), Stability.UNSTABLE);
    }

    private int access(Caller caller, Node file) {
        return exported.export().attributes().access(caller, file, 0x3f);
    }

    private void set(Caller caller, FileHandle file, AttributeChange change) throws IOException {
        exported.export().attributes().set(caller, file, change, Optional.empty());
    }

    private static AttributeChange owner(Caller owner) {
        AttributeChange none = AttributeChange.NONE;
        return new AttributeChange(
                none.mode(), Optional.of(owner.uid()), none.gid(), none.size(), none.accessed(), none.modified());
    }
}
