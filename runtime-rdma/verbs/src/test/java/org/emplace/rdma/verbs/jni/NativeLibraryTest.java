// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.jni;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NativeLibraryTest {
    private static final String FILE = System.mapLibraryName("emplace_verbs");

    @TempDir
    Path temporary;

    private Path unpacked = Path.of("");

    @BeforeEach
    void makeDirectory() throws Exception {
        unpacked = Files.createDirectory(temporary.resolve("unpacked"));
    }

    @Test
    void theCopyInTheJarIsLoadedAndLeavesNoFile() throws Exception {
        assertThat(load()).isEqualTo("loaded");
        try (Stream<Path> left = Files.list(unpacked)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void thePropertyNamesTheLibraryToLoad() throws Exception {
        Path library = Files.write(temporary.resolve("mine.so"), packed());
        assertThat(load("-D" + NativeLibrary.PROPERTY + "=" + library)).isEqualTo("loaded");
    }

    @Test
    void aLibraryThatIsNotThereIsNamed() throws Exception {
        Path library = temporary.resolve("none.so");
        assertThat(load("-D" + NativeLibrary.PROPERTY + "=" + library)).contains(library.toString());
    }

    @Test
    void theLibraryPathComesBeforeTheCopyInTheJar() throws Exception {
        Files.writeString(temporary.resolve(FILE), "no library");
        assertThat(load("-Djava.library.path=" + temporary))
                .contains(temporary.resolve(FILE).toString());
        Files.write(temporary.resolve(FILE), packed());
        assertThat(load("-Djava.library.path=/nowhere" + File.pathSeparator + temporary))
                .isEqualTo("loaded");
    }

    @Test
    void aMissingLibibverbsIsSaidWithThePackagesThatBringIt() throws Exception {
        // Replaces the name of a required library by one of the same length that does not exist.
        String needing =
                new String(packed(), StandardCharsets.ISO_8859_1).replace("libibverbs.so.1", "libibverbs.so.x");
        Path library = Files.write(temporary.resolve("needing.so"), needing.getBytes(StandardCharsets.ISO_8859_1));
        assertThat(load("-D" + NativeLibrary.PROPERTY + "=" + library))
                .isEqualTo("libibverbs.so.x is not installed (Debian: librdmacm1, ibverbs-providers)");
    }

    @Test
    void anArchitectureWithoutALibraryIsNamed() throws Exception {
        assertThat(load("-Dos.arch=pdp11")).isEqualTo("this build has no native library for linux-pdp11");
    }

    private static byte[] packed() throws Exception {
        try (Stream<Path> built = Files.walk(classes(NativeLibrary.class).resolve("META-INF/native"))) {
            return Files.readAllBytes(
                    built.filter(Files::isRegularFile).findFirst().orElseThrow());
        }
    }

    private static Path classes(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    /** The output of a virtual machine that runs with these options. */
    private String load(String... options) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+IgnoreUnrecognizedVMOptions"));
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("-Djava.io.tmpdir=" + unpacked);
        command.addAll(List.of(options));
        command.add("-cp");
        command.add(classes(NativeLibrary.class) + File.pathSeparator + classes(LibraryLoad.class));
        command.add(LibraryLoad.class.getName());
        Path output = temporary.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(output).strip();
    }
}
