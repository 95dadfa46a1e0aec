// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.emplace.rpc.Destination;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Read3Args;
import org.emplace.samples.nfs.protocol.Read3Res;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.Store;
import org.emplace.samples.nfs.server.store.Store.ReadableFile;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A READ while another program makes the file shorter and longer again. */
@Timeout(60)
class ReadOfChangingFileTest {
    private static final int SIZE = 100;

    @TempDir
    Path temporary;

    /** To a client, no data before the end of a file is an error. */
    @ParameterizedTest
    @ValueSource(ints = {0, 60})
    void bytesThatAreMissingWereBehindTheEnd(int shortest) throws Exception {
        try (Served served = new Served(
                temporary,
                (directory, deferred) -> shortWhenRead(StoreKind.NIO.opener(1).open(directory, deferred), shortest))) {
            NfsFh3 file = served.create("f");
            Files.write(served.directory.resolve("f"), new byte[SIZE]);
            Read3Res read = served.nfs.read(new Read3Args(file, 0, SIZE), Destination.allocate());
            assertThat(read).isInstanceOfSatisfying(Read3Res.Nfs3Ok.class, ok -> {
                assertThat(ok.resok().count()).isEqualTo(shortest);
                assertThat(ok.resok().eof()).isTrue();
            });
        }
    }

    /** A store whose files are short at the moment when they are read, and not before and after. */
    private static Store shortWhenRead(Store store, int shortest) {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(store, arguments);
                        return result instanceof ReadableFile file ? new ShortFile(file, shortest) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private record ShortFile(ReadableFile file, int shortest) implements ReadableFile {
        @Override
        public int read(ByteBuffer destination, long offset) throws IOException {
            return file.read(destination.limit(shortest), offset);
        }

        @Override
        public Optional<FileChannel> channel() {
            return Optional.empty();
        }

        @Override
        public FileAttributes attributes() throws IOException {
            return file.attributes();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
