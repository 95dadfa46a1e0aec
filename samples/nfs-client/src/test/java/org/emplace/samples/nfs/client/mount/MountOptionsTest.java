// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemAlreadyExistsException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.emplace.rpc.CallObserver;
import org.emplace.rpc.CallOptions.Recovery;
import org.emplace.samples.nfs.client.OneDirectoryServer;
import org.emplace.samples.nfs.client.RemotePath;
import org.emplace.samples.nfs.client.ServedStub;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The URIs of file systems and of their files. */
class MountOptionsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nfs://host/e?proto=udp | proto=udp: must be rdma or tcp",
                "nfs://host/e?mountport=0 | mountport=0: must be a number from 1 to 65535",
                "nfs://host/e?timeo=soon | timeo=soon: must be a number from 1 to 864000",
                "nfs://host/e?rsize=10 | rsize=10: must be a number from 1024 to 1048576",
                "nfs://host/e?hard=perhaps | hard=perhaps: must be true or false",
                "nfs://host/e?uid=-1 | uid=-1: must be a number from 0 to 4294967295",
                "nfs://host/e?sec=krb4 | sec=krb4: must be sys, krb5, krb5i or krb5p",
                "nfs://host/e?sec=krb5&uid=1 | uid: has no meaning with sec=krb5",
                "nfs://host/e?keytab=k&principal=p | keytab: has no meaning with sec=sys; give sec=krb5",
                "nfs://host/e?sec=krb5&keytab=k | keytab and principal: give both",
                "nfs://host/e?vers=4 | there is no option 'vers'; there are proto, mountport",
                "nfs:/e | 'nfs:/e' is not of the form nfs://HOST[:PORT]/EXPORT/PATH",
                "nfs:e | 'nfs:e' is not of the form nfs://HOST[:PORT]/EXPORT/PATH",
                "nfs://host:70000/e | ':70000' is not a port from 1 to 65535",
            })
    void invalidUrisAreExplained(URI uri, String message) {
        assertThatThrownBy(() -> FileSystems.newFileSystem(uri, Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void theMapsOptionsReplaceThoseOfTheUri() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        CallObserver observer = report -> calls.incrementAndGet();
        try (ServedStub stub = new ServedStub(new OneDirectoryServer())) {
            URI uri = URI.create(stub.place() + "?proto=rdma&mountport=1&soft");
            Map<String, ?> options = Map.of("proto", "tcp", "mountport", stub.port(), "observer", observer);
            try (FileSystem nfs = FileSystems.newFileSystem(uri, options)) {
                assertThat(Files.exists(nfs.getPath("/a"))).isTrue();
            }
        }
        assertThat(calls.get()).isPositive();
    }

    @Test
    void hardAndSoftAreOppositesAndTheMapOverrides() {
        RemotePath soft = RemotePath.parse("nfs://host/e?soft");
        assertThat(MountOptions.of(soft, Map.of("hard", true)).recovery()).isEqualTo(Recovery.HARD);
        assertThat(MountOptions.of(soft, Map.of("soft", false)).recovery()).isEqualTo(Recovery.HARD);
        assertThat(recovery("nfs://host/e?hard")).isEqualTo(Recovery.HARD);
        assertThat(recovery("nfs://host/e?hard=false")).isEqualTo(Recovery.SOFT);
        assertThat(recovery("nfs://host/e?soft&hard")).isEqualTo(Recovery.HARD);
        assertThat(recovery("nfs://host/e")).isEqualTo(Recovery.SOFT);
    }

    private static Recovery recovery(String uri) {
        return MountOptions.of(RemotePath.parse(uri), Map.of()).recovery();
    }

    @Test
    void aFilesUriLeadsToItWhileItsFileSystemIsOpen() throws Exception {
        try (ServedStub stub = new ServedStub(new OneDirectoryServer())) {
            Path path;
            try (FileSystem nfs = stub.fileSystem()) {
                path = nfs.getPath("/a b/%/\u00fc");
                assertThat(path.toUri()).hasToString(stub.place() + "/a%20b/%25/%C3%BC");
                assertThat(Path.of(path.toUri())).isEqualTo(path);
                assertThat(FileSystems.getFileSystem(path.toUri())).isEqualTo(nfs);
                assertThatThrownBy(stub::fileSystem).isInstanceOf(FileSystemAlreadyExistsException.class);
            }
            assertThatThrownBy(() -> Path.of(path.toUri())).isInstanceOf(FileSystemNotFoundException.class);
            assertThatThrownBy(() -> Files.size(path)).isInstanceOf(ClosedFileSystemException.class);
        }
    }

    @Test
    void aNameThatIsNotUtf8KeepsItsBytes() throws Exception {
        try (ServedStub stub = new ServedStub(new OneDirectoryServer());
                FileSystem nfs = stub.fileSystem()) {
            URI uri = URI.create(stub.place() + "/%FF%C3");
            assertThat(Path.of(uri)).isEqualTo(Path.of(Path.of(uri).toUri()));
            assertThat(Path.of(uri).toUri()).isEqualTo(uri);
            assertThat(Path.of(uri)).isNotEqualTo(nfs.getPath(Path.of(uri).toString()));
        }
    }

    @Test
    void anUnreachableServerIsAnIoError() {
        URI nobody = URI.create("nfs://127.0.0.1:1/e?proto=tcp&mountport=1&timeo=20");
        assertThatThrownBy(() -> FileSystems.newFileSystem(nobody, Map.of())).isInstanceOf(IOException.class);
    }

    /** Whether the machine has IPv6 or not. */
    @Test
    void anIpv6AddressIsOneHost() {
        URI nobody = URI.create("nfs://[::1]:1/e?proto=tcp&mountport=1&timeo=20");
        assertThatThrownBy(() -> FileSystems.newFileSystem(nobody, Map.of()))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("tcp://[::1]:1: ");
    }

    @Test
    void aMissingExportIsAnIoError() throws Exception {
        try (ServedStub stub = new ServedStub(new OneDirectoryServer())) {
            URI other = URI.create("nfs://127.0.0.1:" + stub.port() + "/other?proto=tcp&mountport=" + stub.port());
            assertThatThrownBy(() -> FileSystems.newFileSystem(other, Map.of()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("Not in an export of the server; it exports /e");
        }
    }
}
