// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.samples.nfs.server.store.TestedStore.assertFailure;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.emplace.samples.nfs.server.store.AttributeChange;
import org.emplace.samples.nfs.server.store.Caller;
import org.emplace.samples.nfs.server.store.Creation;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.FileType;
import org.emplace.samples.nfs.server.store.Store.AccessRights;
import org.emplace.samples.nfs.server.store.Store.Stability;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.TestedStore;
import org.emplace.xdr.Payload;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The rights of callers who act as themselves. Only a server of root can act as others. If the tests run as another user, the store must report that,
 * and do everything as that user.
 */
class CallersActTest {
    private static final Caller SUPERUSER = new Caller(0, 0, Set.of());
    private static final Caller MAKER = new Caller(1001, 2001, Set.of());
    private static final Caller COLLEAGUE = new Caller(1002, 2002, Set.of(2001L));
    private static final Caller STRANGER = new Caller(1003, 2003, Set.of());

    @TempDir
    Path temporary;

    private TestedStore tested;
    private Path directory;
    private FileId root;
    private boolean act;

    @BeforeEach
    void open() throws IOException {
        directory = Files.createDirectory(temporary.resolve("export"));
        tested = new TestedStore(new PosixFixture(directory, PosixFixture.OPTIONS.withCallersAct(true)));
        root = tested.root();
        act = tested.limits().actsAsCaller();
        boolean isRoot = tested.attributes(root).uid() == 0;
        assertThat(act).isEqualTo(isRoot);
        Files.setAttribute(directory, "unix:mode", 0777);
    }

    @AfterEach
    void close() throws IOException {
        tested.close();
    }

    @Test
    void newFilesBelongToTheirCreators() throws IOException {
        FileAttributes top = tested.attributes(root);
        FileId made = makeDirectory(MAKER, root, "directory", 0750);
        FileId link = tested.store()
                .makeSymbolicLink(MAKER, root, FileName.of("link"), new byte[] {'x'}, AttributeChange.NONE)
                .id();
        FileId fifo = tested.store()
                .makeNode(MAKER, root, FileName.of("fifo"), FileType.FIFO, 0, AttributeChange.NONE.withMode(0666))
                .id();
        for (FileId id : new FileId[] {create(MAKER, "file", 0666), made, link, fifo}) {
            assertThat(tested.attributes(id).uid()).isEqualTo(act ? MAKER.uid() : top.uid());
            assertThat(tested.attributes(id).gid()).isEqualTo(act ? MAKER.gid() : top.gid());
        }
    }

    @Test
    void theServersUmaskDoesNotApply() throws IOException {
        assertThat(tested.attributes(create(MAKER, "file", 0666)).mode()).isEqualTo(0666);
        assertThat(tested.attributes(makeDirectory(MAKER, root, "directory", 0777))
                        .mode())
                .isEqualTo(0777);
    }

    @Test
    void contentIsReadAndWrittenAsTheModeBitsSay() throws IOException {
        FileId file = create(MAKER, "file", 0640);
        read(MAKER, file);
        write(MAKER, file);
        read(COLLEAGUE, file);
        refusedWhereCallersAct(Failure.ACCES, () -> write(COLLEAGUE, file));
        refusedWhereCallersAct(Failure.ACCES, () -> set(COLLEAGUE, file, TestedStore.size(0)));
        refusedWhereCallersAct(Failure.ACCES, () -> read(STRANGER, file));
        refusedWhereCallersAct(Failure.ACCES, () -> write(STRANGER, file));
        refusedWhereCallersAct(Failure.ACCES, () -> tested.store().commit(STRANGER, file));
        read(SUPERUSER, file);
        write(SUPERUSER, file);
    }

    @Test
    void anOwnerContinuesAfterRemovingItsOwnRights() throws IOException {
        FileId file = create(MAKER, "file", 0400);
        write(MAKER, file);
        set(MAKER, file, TestedStore.size(7));
        set(MAKER, file, TestedStore.mode(0200));
        write(MAKER, file);
        assertThat(tested.attributes(file).mode()).isEqualTo(0200);
    }

    @Test
    void executePermissionPermitsReading() throws IOException {
        FileId file = create(MAKER, "program", 0711);
        read(STRANGER, file);
        refusedWhereCallersAct(Failure.ACCES, () -> write(STRANGER, file));
    }

    @Test
    void accessTellsWhatTheKernelWouldAllow() throws IOException {
        FileId file = create(MAKER, "file", 0640);
        int all = 0x3f;
        if (act) {
            assertThat(tested.store().access(MAKER, file, all).rights())
                    .isEqualTo(AccessRights.READ | AccessRights.MODIFY | AccessRights.EXTEND);
            assertThat(tested.store().access(COLLEAGUE, file, all).rights()).isEqualTo(AccessRights.READ);
            assertThat(tested.store().access(STRANGER, file, all).rights()).isZero();
        }
        assertThat(tested.store().access(MAKER, root, all).rights())
                .isEqualTo(AccessRights.READ
                        | AccessRights.MODIFY
                        | AccessRights.EXTEND
                        | AccessRights.DELETE
                        | AccessRights.LOOKUP);
    }

    @Test
    void withoutSearchPermissionNothingIsFoundOrCreated() throws IOException {
        FileId in = makeDirectory(MAKER, root, "directory", 0750);
        create(MAKER, in, "file", 0644);
        tested.store().lookup(COLLEAGUE, in, FileName.of("file"));
        refusedWhereCallersAct(Failure.ACCES, () -> tested.store().lookup(STRANGER, in, FileName.of("file")));
        refusedWhereCallersAct(Failure.ACCES, () -> list(STRANGER, in, false));
        refusedWhereCallersAct(Failure.ACCES, () -> makeDirectory(COLLEAGUE, in, "new", 0755));
        refusedWhereCallersAct(Failure.ACCES, () -> tested.store().remove(COLLEAGUE, in, FileName.of("file")));
    }

    @Test
    void listPermissionWithoutSearchGivesNamesOnly() throws IOException {
        FileId in = makeDirectory(MAKER, root, "directory", 0754);
        create(MAKER, in, "file", 0644);
        assertThat(list(STRANGER, in, true)).isEqualTo(act ? 0 : 3);
        assertThat(list(COLLEAGUE, in, true)).isEqualTo(3);
    }

    /** The number of entries with their files. */
    private int list(Caller caller, FileId in, boolean withFiles) throws IOException {
        int[] found = new int[1];
        tested.store().list(caller, in, 0, 0, withFiles, entry -> {
            found[0] += entry.file().isPresent() ? 1 : 0;
            return true;
        });
        return found[0];
    }

    @Test
    void onlyItsOwnerChangesAFilesMode() throws IOException {
        FileId file = create(MAKER, "file", 0666);
        refusedWhereCallersAct(Failure.PERM, () -> set(STRANGER, file, TestedStore.mode(0777)));
        set(MAKER, file, TestedStore.mode(0600));
        assertThat(tested.attributes(file).mode()).isEqualTo(0600);
        set(SUPERUSER, file, TestedStore.mode(0644));
        assertThat(tested.attributes(file).mode()).isEqualTo(0644);
    }

    @Test
    void onlyRootChangesOwners() throws IOException {
        FileId file = create(MAKER, "file", 0666);
        if (act) {
            assertFailure(() -> set(MAKER, file, TestedStore.owner(STRANGER.uid(), MAKER.gid())), Failure.PERM);
            assertFailure(() -> set(STRANGER, file, TestedStore.owner(STRANGER.uid(), 2003)), Failure.PERM);
            set(MAKER, file, TestedStore.owner(MAKER.uid(), MAKER.gid()));
            set(SUPERUSER, file, TestedStore.owner(STRANGER.uid(), STRANGER.gid()));
            assertThat(tested.attributes(file).uid()).isEqualTo(STRANGER.uid());
        }
    }

    @Test
    void inAStickyDirectoryOnlyItsOwnerRemovesAFile() throws IOException {
        create(MAKER, "file", 0666);
        Files.setAttribute(directory, "unix:mode", 01777);
        if (act) {
            FileName name = FileName.of("file");
            assertFailure(() -> tested.store().remove(STRANGER, root, name), Failure.PERM);
            assertFailure(() -> tested.store().rename(STRANGER, root, name, root, FileName.of("stolen")), Failure.PERM);
        }
        tested.store().remove(MAKER, root, FileName.of("file"));
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void newFilesInheritTheGroupOfASetGroupIdDirectory() throws IOException {
        FileId in = makeDirectory(COLLEAGUE, root, "shared", 02775);
        if (act) {
            set(SUPERUSER, in, TestedStore.owner(COLLEAGUE.uid(), MAKER.gid()));
            set(SUPERUSER, in, TestedStore.mode(02777));
            FileId below = makeDirectory(STRANGER, in, "below", 0755);
            assertThat(tested.attributes(below).gid()).isEqualTo(MAKER.gid());
            assertThat(tested.attributes(below).mode()).isEqualTo(02755);
            assertThat(tested.attributes(create(STRANGER, below, "file", 0644)).gid())
                    .isEqualTo(MAKER.gid());
        }
    }

    @Test
    void writingRemovesSetIdBitsUnlessByRoot() throws IOException {
        FileId file = create(MAKER, "program", 0777);
        for (Caller writer : new Caller[] {STRANGER, MAKER}) {
            set(SUPERUSER, file, TestedStore.mode(06777));
            write(writer, file);
            assertThat(tested.attributes(file).mode())
                    .isEqualTo(act ? 0777 : tested.attributes(file).mode());
            set(SUPERUSER, file, TestedStore.mode(06777));
            set(writer, file, TestedStore.size(3));
            assertThat(tested.attributes(file).mode())
                    .isEqualTo(act ? 0777 : tested.attributes(file).mode());
        }
        if (act) {
            set(SUPERUSER, file, TestedStore.mode(06777));
            write(SUPERUSER, file);
            assertThat(tested.attributes(file).mode()).isEqualTo(06777);
        }
    }

    @Test
    void nobodyCreatesSetIdProgramsOfTheServersUser() throws IOException {
        PosixOptions options = PosixFixture.OPTIONS.withCallersAct(false);
        try (TestedStore servers = new TestedStore(new PosixFixture(directory, options))) {
            Creation how = new Creation.Guarded(TestedStore.mode(06755));
            FileId file = servers.create(root, "program", how).id();
            assertThat(servers.attributes(file).mode()).isEqualTo(0755);
            servers.set(file, TestedStore.mode(07711));
            assertThat(servers.attributes(file).mode()).isEqualTo(01711);
            FileId fifo = servers.store()
                    .makeNode(MAKER, root, FileName.of("fifo"), FileType.FIFO, 0, TestedStore.mode(06644))
                    .id();
            assertThat(servers.attributes(fifo).mode()).isEqualTo(0644);
            FileId below = servers.store()
                    .makeDirectory(MAKER, root, FileName.of("below"), TestedStore.mode(06755))
                    .id();
            assertThat(servers.attributes(below).mode()).isEqualTo(02755);
            servers.set(below, TestedStore.mode(06711));
            assertThat(servers.attributes(below).mode()).isEqualTo(02711);
        }
    }

    /** As in a container that runs as root and may not become another user. */
    @Test
    void callersAsWhomTheServersUserActsGetNoneOfItsRightsOverPrograms() throws IOException {
        PosixOptions options = PosixFixture.OPTIONS.withCallersAct(false);
        Path program = Files.createFile(directory.resolve("program"));
        try (TestedStore servers = new TestedStore(new PosixFixture(directory, options))) {
            FileId file = servers.lookup("program");
            Files.setAttribute(program, "unix:mode", 06777);
            servers.write(file, 0, "#!");
            assertThat(Files.getAttribute(program, "unix:mode")).isEqualTo(0100777);
            Files.setAttribute(program, "unix:mode", 06777);
            servers.set(file, TestedStore.size(1));
            assertThat(Files.getAttribute(program, "unix:mode")).isEqualTo(0100777);
            assertFailure(
                    () -> servers.store()
                            .makeNode(
                                    MAKER,
                                    root,
                                    FileName.of("disk"),
                                    FileType.BLOCK_DEVICE,
                                    0x800,
                                    TestedStore.mode(0666)),
                    Failure.PERM);
            assertThat(directory.resolve("disk")).doesNotExist();
        }
    }

    @Test
    void onlyRootCreatesDevices() throws IOException {
        refusedWhereCallersAct(Failure.PERM, () -> makeDevice(STRANGER, "strangers", act ? 0x103 : 0));
        if (act) {
            FileAttributes device = tested.attributes(makeDevice(SUPERUSER, "null", 0xabc12345L));
            assertThat(device.type()).isEqualTo(FileType.CHARACTER_DEVICE);
            assertThat(device.deviceMajor()).isEqualTo(0x123);
            assertThat(device.deviceMinor()).isEqualTo(0xabc45);
        }
    }

    /** All users may create the device 0:0, which overlay file systems use. */
    private FileId makeDevice(Caller caller, String name, long number) throws IOException {
        return tested.store()
                .makeNode(caller, root, FileName.of(name), FileType.CHARACTER_DEVICE, number, AttributeChange.NONE)
                .id();
    }

    @Test
    void theThreadIsTheServersAgainAfterwards() throws IOException {
        FileId secret = create(SUPERUSER, "secret", 0600);
        refusedWhereCallersAct(Failure.ACCES, () -> read(STRANGER, secret));
        Path made = Files.createFile(temporary.resolve("made by this thread"));
        assertThat(Files.getAttribute(made, "unix:uid"))
                .isEqualTo((int) tested.attributes(root).uid());
        assertThat(Files.readString(directory.resolve("secret"))).isEmpty();
    }

    /** An operation. */
    private interface Operation {
        void run() throws IOException;
    }

    private void refusedWhereCallersAct(Failure failure, Operation operation) throws IOException {
        if (act) {
            assertFailure(operation::run, failure);
        } else {
            operation.run();
        }
    }

    private FileId create(Caller caller, String name, int mode) throws IOException {
        return create(caller, root, name, mode);
    }

    private FileId create(Caller caller, FileId in, String name, int mode) throws IOException {
        Creation how = new Creation.Guarded(AttributeChange.NONE.withMode(mode));
        return tested.store().create(caller, in, FileName.of(name), how).id();
    }

    private FileId makeDirectory(Caller caller, FileId in, String name, int mode) throws IOException {
        return tested.store()
                .makeDirectory(caller, in, FileName.of(name), AttributeChange.NONE.withMode(mode))
                .id();
    }

    private void read(Caller caller, FileId file) throws IOException {
        tested.store().read(caller, file).close();
    }

    private void write(Caller caller, FileId file) throws IOException {
        Payload data = Payload.of(ByteBuffer.allocate(1));
        tested.store().write(caller, file, 0, data, Stability.UNSTABLE);
    }

    private void set(Caller caller, FileId file, AttributeChange change) throws IOException {
        tested.store().setAttributes(caller, file, change, Optional.empty());
    }
}
