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
import org.junit.jupiter.api.io.TempDir;

/** {@code --import} and {@code --share}. */
class ImportOptionTest {
    private static final String IN_JAR = "META-INF/xdr/org.example.photos/photos.x";

    @TempDir
    private Path folder = Path.of("");

    private Commands xdrc = new Commands(folder);
    private String photos = "";
    private String album = "";

    @BeforeEach
    void twoFilesOfWhichOneUsesTheOther() throws IOException {
        xdrc = new Commands(folder);
        photos = xdrc.file("photos.x", "struct photo { int width; };");
        album = xdrc.file("album.x", "struct album { photo cover; };");
    }

    private String sharedJar() throws IOException {
        int status = xdrc.run(
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
        assertThat(xdrc.compile("--import", "org.example.photos=" + photos, album))
                .isZero();
        assertThat(folder.resolve("output/p/Album.java")).content().contains("import org.example.photos.Photo;");
        assertThat(folder.resolve("output/p/Photo.java")).doesNotExist();
    }

    @Test
    void aJarIsImportedWithAllThatItCarries() throws IOException {
        String jar = sharedJar();

        assertThat(xdrc.compile("--import", jar, album)).isZero();
        assertThat(folder.resolve("output/p/Album.java")).content().contains("import org.example.photos.Photo;");
    }

    @Test
    void makeIsToldOfTheJarAndNotOfWhatIsInside() throws IOException {
        String jar = sharedJar();
        Path rule = folder.resolve("album.d");

        assertThat(xdrc.compile("--import", jar, "--depfile", rule.toString(), album))
                .isZero();
        assertThat(rule).content().contains(jar + "\n").doesNotContain("META-INF");
    }

    @Test
    void aProtocolIsDocumentedAndComparedWithWhatItImports() throws IOException {
        xdrc.file("album.x", "program ALBUMS { version V1 { photo GET(int) = 1; } = 1; } = 0x20000001;");
        String imported = "org.example.photos=" + photos;

        assertThat(xdrc.run("document", "--output", folder.resolve("album.md").toString(), "--import", imported, album))
                .isZero();
        assertThat(folder.resolve("album.md")).content().contains("GET");
        assertThat(xdrc.run("compare", "--import", imported, album, album)).isZero();
        assertThat(xdrc.out()).isEqualTo("no change\n");
    }

    @Test
    void whatCannotBeImportedIsSaidSo() throws IOException {
        assertThat(xdrc.compile("--import", photos, album)).isEqualTo(ExitStatus.IO_FAILURE);
        assertThat(xdrc.err()).contains(photos + ": it is not a jar");

        assertThat(xdrc.compile("--import", folder.resolve("none.jar").toString(), album))
                .isEqualTo(ExitStatus.IO_FAILURE);
        assertThat(xdrc.err()).contains("none.jar: there is no such file or directory");

        assertThat(xdrc.compile("--import", "my-photos=" + photos, album)).isEqualTo(ExitStatus.USAGE);
        assertThat(xdrc.err()).contains("--import: `my-photos` is not a Java package name");

        Files.createDirectory(folder.resolve("empty"));
        assertThat(xdrc.compile("--import", folder.resolve("empty").toString(), album))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(xdrc.err()).contains("carries no definitions: it has no META-INF/xdr/PACKAGE/NAME.x");
    }
}
