// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.marschall.memoryfilesystem.MemoryFileSystemBuilder;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.emplace.samples.nfs.protocol.Getattr3Args;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.samples.nfs.server.export.ExportDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FailingDiskTest {
    private static final int CALLS = 1000;

    @TempDir
    Path temporary;

    @Test
    void aDiskThatIsGoneDoesNotFillTheLog() throws Exception {
        FileSystem disk = MemoryFileSystemBuilder.newLinux().build("failing");
        Path directory = Files.createDirectory(disk.getPath("/export"));
        List<ExportDefinition> definitions = List.of(ExportDefinition.forEverybody(directory, Served.OPEN));
        try (Served served = new Served("tcp", temporary, definitions, StoreKind.NIO.opener(1));
                LogRecords records = new LogRecords("org.emplace.samples.nfs")) {
            NfsFh3 root = served.root();
            disk.close();
            for (int i = 0; i < CALLS; i++) {
                assertThat(served.nfs.getattr(new Getattr3Args(root)).status()).isNotEqualTo(Nfsstat3.NFS3_OK);
            }
            assertThat(records.all()).isNotEmpty().hasSizeLessThanOrEqualTo(10);
            assertThat(records.all())
                    .filteredOn(line -> line.getThrown() != null)
                    .hasSizeLessThanOrEqualTo(1);
        }
    }
}
