// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.emplace.reactor.Peer;
import org.emplace.samples.nfs.server.StoreKind;
import org.emplace.samples.nfs.server.export.Export.CallOrigin;
import org.emplace.samples.nfs.server.export.Export.ClientAccess;
import org.emplace.samples.nfs.server.export.Exports.ExportedFile;
import org.emplace.samples.nfs.server.store.Caller;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

class ExportsTest {
    @TempDir
    Path temporary;

    private Path directory = Path.of("");
    private Path state = Path.of("");

    @BeforeEach
    void nameTheFolders() throws IOException {
        directory = Files.createDirectory(temporary.resolve("export"));
        state = temporary.resolve("state");
    }

    private Exports open(Path... directories) throws IOException {
        return Exports.open(
                Stream.of(directories)
                        .map(each -> ExportDefinition.forEverybody(each, ExportOptions.DEFAULT))
                        .toList(),
                state,
                StoreKind.ofThisSystem().opener(1));
    }

    private byte[] handleOfRoot(Exports exports) throws IOException {
        Export export = exports.all().get(0);
        return exports.handle(new ExportedFile(export, export.store().root().id()));
    }

    /** Else a host that uses many addresses of its IPv6 network would have as many shares of what the server keeps. */
    @Test
    void theAddressesOfAnIpv6NetworkAreOnePeer() throws IOException {
        try (Exports exports = open(directory)) {
            Export export = exports.all().get(0);
            List<Object> peers = new ArrayList<>();
            for (String address : List.of("fd00::1", "fd00::ffff:2", "fd00:0:0:1::1")) {
                peers.add(export.admit(new CallOrigin(new InetSocketAddress(address, 1023), Optional.empty()))
                        .caller()
                        .peer());
            }
            assertThat(peers.get(0)).isEqualTo(peers.get(1)).isNotEqualTo(peers.get(2));
        }
    }

    /** So a duplicate that the reply cache answers, whose key is these, would be admitted as the first call was. */
    @Test
    void whoIsAdmittedDependsOnNothingButAddressKindOfPortFlavorAndUser() throws IOException {
        ExportDefinition definition =
                ExportDefinition.forEverybody(directory, ExportOptions.DEFAULT.withPrivilegedPorts(true));
        try (Exports exports = Exports.open(
                List.of(definition), state, StoreKind.ofThisSystem().opener(1))) {
            Export export = exports.all().get(0);
            InetAddress client = InetAddress.getLoopbackAddress();
            for (Optional<Caller> user : List.of(Optional.of(new Caller(1, 2, Set.of(3L))), Optional.<Caller>empty())) {
                ClientAccess access = export.admit(new CallOrigin(new InetSocketAddress(client, 1), user));
                assertThat(access.caller().peer()).isEqualTo(Peer.of(client));
                assertThat(export.admit(new CallOrigin(new InetSocketAddress(client, 1023), user)))
                        .isEqualTo(access);
                for (int port : new int[] {1024, 2049, 65535}) {
                    CallOrigin origin = new CallOrigin(new InetSocketAddress(client, port), user);
                    assertThatThrownBy(() -> export.admit(origin)).hasMessageContaining("is not exported to");
                }
            }
        }
    }

    @Test
    void theKeyIsKeptForItsOwnerAlone() throws IOException {
        byte[] handle;
        try (Exports exports = open(directory)) {
            handle = handleOfRoot(exports);
        }
        assertThat(permissions(state)).isEqualTo("rwx------");
        assertThat(permissions(state.resolve("handle-key"))).isEqualTo("rw-------");
        try (Exports exports = open(directory)) {
            assertThat(exports.file(handle).file())
                    .isEqualTo(exports.all().get(0).store().root().id());
        }
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void aHandleOfAnotherKeyIsRejected() throws IOException {
        byte[] handle;
        try (Exports exports = open(directory)) {
            handle = handleOfRoot(exports);
        }
        state = temporary.resolve("another-state");
        try (Exports exports = open(directory)) {
            assertThatThrownBy(() -> exports.file(handle)).hasMessageContaining("did not make");
        }
    }

    @Test
    void aKeyThatOthersMayReadIsRefused() throws IOException {
        open(directory).close();
        Files.setPosixFilePermissions(state.resolve("handle-key"), PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> open(directory)).hasMessageContaining("others may read it");
    }

    @Test
    void aStateFolderThatOthersMayWriteToIsRefused() throws IOException {
        for (String mode : List.of("rwxrwx---", "rwx----w-", "rwxrwxrwx")) {
            Files.createDirectories(state);
            Files.setPosixFilePermissions(state, PosixFilePermissions.fromString(mode));
            assertThatThrownBy(() -> open(directory)).hasMessageContaining("others may write to it; chmod go-w");
        }
        Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxr-xr-x"));
        open(directory).close();
    }

    static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    @Test
    @EnabledIf("isRoot")
    void somebodyElsesStateFolderIsRefused() throws IOException {
        Files.createDirectory(state);
        Files.setAttribute(state, "unix:uid", 1000);
        assertThatThrownBy(() -> open(directory)).hasMessageContaining("choose one that belongs to the server's user");
        try (Stream<Path> left = Files.list(state)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void aStateFolderInsideAnExportIsRefused() throws IOException {
        state = directory.resolve("deep/state");
        assertThatThrownBy(() -> open(directory)).hasMessageContaining("is inside the export " + directory);
        Path link = Files.createSymbolicLink(temporary.resolve("link"), directory);
        state = link.resolve("state");
        assertThatThrownBy(() -> open(directory)).hasMessageContaining("is inside the export " + directory);
    }

    @Test
    void twoServersDoNotShareAState() throws IOException {
        Exports first = open(directory);
        assertThatThrownBy(() -> open(directory)).hasMessageContaining("another server uses the state folder");
        first.close();
        open(directory).close();
    }

    @Test
    void theRootDirectoryIsNotExported() throws IOException {
        assertThatThrownBy(() -> open(Path.of("/"))).hasMessageContaining("export a directory below it");
        Path link = Files.createSymbolicLink(temporary.resolve("link"), Path.of("/"));
        assertThatThrownBy(() -> open(link)).hasMessageContaining("export a directory below it");
    }

    @Test
    void onlyDirectoriesAreExported() throws IOException {
        Path file = Files.createFile(temporary.resolve("file"));
        assertThatThrownBy(() -> open(file)).isInstanceOf(IOException.class).hasMessage(file + ": not a directory");
        Path nothing = temporary.resolve("nothing");
        assertThatThrownBy(() -> open(nothing))
                .isInstanceOf(IOException.class)
                .hasMessage(nothing + ": no such directory");
        open(directory).close();
    }

    @Test
    void aDirectoryIsExportedOnce() {
        assertThatThrownBy(() -> open(directory, directory.resolve(".")))
                .hasMessageContaining(directory + " is exported twice");
    }

    @Test
    void noPathIsLongerThanMountAllows() throws IOException {
        Path deep = directory;
        while (deep.toString().length() <= 1024) {
            deep = Files.createDirectory(deep.resolve("x".repeat(100)));
        }
        Path deepest = deep;
        assertThatThrownBy(() -> open(deepest)).hasMessageContaining("MOUNT allows 1024");
    }
}
