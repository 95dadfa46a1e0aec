// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code --import} and {@code --share}. */
class ImportOptionTest extends CommandTest {
    private static final String IN_JAR = "META-INF/xdr/org.example.photos/photos.x";

    private String photos = "";
    private String album = "";

    @BeforeEach
    void twoFilesOfWhichOneUsesTheOther() throws IOException {
        photos = file("photos.x", "struct photo { int width; };");
        album = file("album.x", "struct album { photo cover; };");
    }

    private String sharedJar() throws IOException {
        int status = run(
                "compile",
                "--output",
                folder.resolve("photos").toString(),
                "--package",
                "org.example.photos",
                "--share",
                folder.resolve("share").toString(),
                photos);
        assertThat(status).isZero();
        Path jar = folder.resolve("photos.jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file)) {
            out.putNextEntry(new JarEntry(IN_JAR));
            out.write(Files.readAllBytes(folder.resolve("share").resolve(IN_JAR)));
        }
        return jar.toString();
    }

    @Test
    void aFileIsImportedWithThePackageOfItsClasses() throws IOException {
        assertThat(compile("--import", "org.example.photos=" + photos, album)).isZero();
        assertThat(folder.resolve("output/p/Album.java")).content().contains("import org.example.photos.Photo;");
        assertThat(folder.resolve("output/p/Photo.java")).doesNotExist();
    }

    @Test
    void aJarIsImportedWithAllItsDefinitions() throws IOException {
        String jar = sharedJar();

        assertThat(compile("--import", jar, album)).isZero();
        assertThat(folder.resolve("output/p/Album.java")).content().contains("import org.example.photos.Photo;");
    }

    @Test
    void theMakeRuleNamesTheJarAndNotItsEntries() throws IOException {
        String jar = sharedJar();
        Path rule = folder.resolve("album.d");

        assertThat(compile("--import", jar, "--depfile", rule.toString(), album))
                .isZero();
        assertThat(rule).content().contains(jar + "\n").doesNotContain("META-INF");
    }

    @Test
    void aProtocolIsDocumentedAndComparedWithWhatItImports() throws IOException {
        file("album.x", "program ALBUMS { version V1 { photo GET(int) = 1; } = 1; } = 0x20000001;");
        String imported = "org.example.photos=" + photos;

        assertThat(run("document", "--output", folder.resolve("album.md").toString(), "--import", imported, album))
                .isZero();
        assertThat(folder.resolve("album.md")).content().contains("GET");
        assertThat(run("compare", "--import", imported, album, album)).isZero();
        assertThat(out()).isEqualTo("no change\n");
    }

    @Test
    void importErrorsAreReported() throws IOException {
        assertThat(compile("--import", photos, album)).isEqualTo(ExitStatus.IO_FAILURE);
        assertThat(err()).contains(photos + ": not a jar");

        assertThat(compile("--import", folder.resolve("none.jar").toString(), album))
                .isEqualTo(ExitStatus.IO_FAILURE);
        assertThat(err()).contains("none.jar: no such file or directory");

        assertThat(compile("--import", "my-photos=" + photos, album)).isEqualTo(ExitStatus.USAGE);
        assertThat(err()).contains("--import: `my-photos` is not a Java package name");

        Files.createDirectory(folder.resolve("empty"));
        assertThat(compile("--import", folder.resolve("empty").toString(), album))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(err()).contains("contains no definitions: it has no META-INF/xdr/PACKAGE/NAME.x");
    }
}
