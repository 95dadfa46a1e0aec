// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.marschall.memoryfilesystem.MemoryFileSystemBuilder;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.emplace.Rpc;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.RpcConnection;
import org.emplace.samples.nfs.protocol.Getattr3Args;
import org.emplace.samples.nfs.protocol.Mount3Client;
import org.emplace.samples.nfs.protocol.Mountres3;
import org.emplace.samples.nfs.protocol.Nfs3Client;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.samples.nfs.server.export.ExportDefinition;
import org.emplace.samples.nfs.server.export.Exports;
import org.emplace.xdr.XdrString;
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
        Exports exports = Exports.open(
                List.of(ExportDefinition.forEverybody(directory, Served.OPEN)),
                temporary.resolve("state"),
                StoreKind.NIO.opener(1));
        try (NfsServer server = NfsServer.start(exports, List.of(URI.create("tcp://127.0.0.1:0")), 1);
                RpcConnection connection = Rpc.connect(server.addresses().get(0));
                LogRecords records = new LogRecords("org.emplace.samples.nfs")) {
            Mountres3 mounted = Mount3Client.on(connection, CallOptions.DEFAULT).mnt(XdrString.of("/export"));
            NfsFh3 root = new NfsFh3(((Mountres3.Mnt3Ok) mounted).mountinfo().fhandle());
            disk.close();
            Nfs3Client nfs = Nfs3Client.on(connection, CallOptions.DEFAULT);
            for (int i = 0; i < CALLS; i++) {
                assertThat(nfs.getattr(new Getattr3Args(root)).status()).isNotEqualTo(Nfsstat3.NFS3_OK);
            }
            assertThat(records.all()).isNotEmpty().hasSizeLessThanOrEqualTo(10);
            assertThat(records.all())
                    .filteredOn(line -> line.getThrown() != null)
                    .hasSizeLessThanOrEqualTo(1);
        }
    }
}
