// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.emplace.samples.nfs.client.calls.RemoteAttributes;
import org.emplace.samples.nfs.protocol.Create3Args;
import org.emplace.samples.nfs.protocol.Createhow3;
import org.emplace.samples.nfs.protocol.Createmode3;
import org.emplace.samples.nfs.protocol.Fattr3;
import org.emplace.samples.nfs.protocol.Nfs3Client;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.samples.nfs.server.Served.On;
import org.emplace.samples.nfs.server.export.ExportDefinition;
import org.emplace.samples.nfs.server.export.ExportOptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The identity of callers, if callers act as themselves: new files belong to them. */
@Timeout(60)
@EnabledIf("isRoot")
class SquashingTest {
    private static final ExportOptions WRITABLE =
            ExportOptions.DEFAULT.withReadOnly(false).withDeferred(true);

    @TempDir
    Path temporary;

    private Path directory = Path.of("");

    static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    @BeforeEach
    void makeADirectoryForEverybody() throws Exception {
        directory = Files.createDirectory(temporary.resolve("export"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    private Served served(ExportOptions options) throws Exception {
        return new Served(On.TCP_POSIX, temporary, List.of(ExportDefinition.forEverybody(directory, options)));
    }

    private static String ownerOfWhatIsMade(Served served, Nfs3Client client) throws Exception {
        NfsFh3 file = served.create(client, served.root(), "made-" + System.nanoTime());
        Fattr3 attributes = served.attributes(file);
        return attributes.uid() + ":" + attributes.gid();
    }

    @Test
    void rootIsSquashedByItself() throws Exception {
        try (Served served = served(WRITABLE)) {
            assertThat(ownerOfWhatIsMade(served, served.as(0, 0))).isEqualTo("65534:65534");
            assertThat(ownerOfWhatIsMade(served, served.as(1000, 0))).isEqualTo("1000:65534");
            assertThat(ownerOfWhatIsMade(served, served.as(1000, 1001))).isEqualTo("1000:1001");
            assertThat(ownerOfWhatIsMade(served, served.asNobody())).isEqualTo("65534:65534");
        }
    }

    @Test
    void rootCanBeLeftAlone() throws Exception {
        try (Served served = served(WRITABLE.withSquashRoot(false))) {
            assertThat(ownerOfWhatIsMade(served, served.as(0, 0))).isEqualTo("0:0");
            assertThat(ownerOfWhatIsMade(served, served.asNobody())).isEqualTo("65534:65534");
        }
    }

    @Test
    void everybodyCanBeSquashed() throws Exception {
        try (Served served = served(WRITABLE.withSquashAll(true).withAnonymous(3000, 3001))) {
            assertThat(ownerOfWhatIsMade(served, served.as(0, 0))).isEqualTo("3000:3001");
            assertThat(ownerOfWhatIsMade(served, served.as(1000, 1001))).isEqualTo("3000:3001");
            assertThat(ownerOfWhatIsMade(served, served.asNobody())).isEqualTo("3000:3001");
        }
    }

    /** A process that takes the user -1 keeps its identity, and the server is root. */
    @Test
    void theIdOfNoUserDoesNotActAsTheServer() throws Exception {
        try (Served served = served(WRITABLE.withSquashRoot(false))) {
            assertThat(ownerOfWhatIsMade(served, served.as(0xffffffffL, 0xffffffffL)))
                    .isEqualTo("65534:65534");
        }
    }

    @Test
    void rootsGroupIsSquashedAmongOthersToo() throws Exception {
        Files.setAttribute(directory, "unix:gid", 0);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxr-x"));
        try (Served served = served(WRITABLE)) {
            assertThat(made(served, served.as(1000, 1001, 0L))).isEqualTo(Nfsstat3.NFS3ERR_ACCES);
        }
        try (Served served = served(WRITABLE.withSquashRoot(false))) {
            assertThat(made(served, served.as(1000, 1001, 0L))).isEqualTo(Nfsstat3.NFS3_OK);
        }
    }

    private static Nfsstat3 made(Served served, Nfs3Client client) throws Exception {
        Createhow3 how = new Createhow3.Unchecked(Createmode3.GUARDED, RemoteAttributes.UNCHANGED);
        return client.create(new Create3Args(Served.in(served.root(), "file"), how))
                .status();
    }
}
