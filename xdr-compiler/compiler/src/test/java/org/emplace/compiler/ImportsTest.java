// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.emplace.compiler.CompileRequest.Source;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.preprocess.Definitions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A protocol that uses the classes of another one, which were generated before. */
class ImportsTest {
    private static final String PHOTOS = "org.example.photos";
    private static final String ALBUM = """
            #include "photos.x"
            struct album { photo cover; quality rating; size3 size; };
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    private Source file(String name, String text) throws IOException {
        return new Source(Files.writeString(folder.resolve(name), text), name);
    }

    private Source photos() throws IOException {
        return file("photos.x", """
                const BEST = 3;
                typedef unsigned hyper size3;
                enum quality { RAW = 0, FINE = BEST };
                struct photo { string title<>; photo *next; };
                program PHOTOS { version V1 { photo GET(int) = 1; } = 1; } = 0x20000001;
                """);
    }

    private static Source imported(Source source, String packageName) {
        return new Source(source.path(), source.name(), Optional.of(packageName));
    }

    private static CompileResult compile(Source... sources) {
        return XdrCompiler.compile(new CompileRequest(List.of(sources), "org.example.albums"));
    }

    private static SortedMap<String, String> generated(Source... sources) {
        CompileResult result = compile(sources);
        assertThat(result.diagnostics()).filteredOn(Diagnostic::isError).isEmpty();
        return result.generated();
    }

    @Test
    void importedTypesAreUsedAndNotGenerated() throws IOException {
        Source album = file("album.x", ALBUM);

        SortedMap<String, String> generated = generated(album, imported(photos(), PHOTOS));

        assertThat(generated).containsOnlyKeys("org/example/albums/Album.java");
        assertThat(generated.get("org/example/albums/Album.java"))
                .contains("import org.example.photos.Photo;", "import org.example.photos.Quality;")
                .contains("record Album(List<Photo> cover, Quality rating, long size)");
        assertThat(generated(imported(photos(), PHOTOS), album)).isEqualTo(generated);
    }

    @Test
    void anImportNeedNotBeIncludedAndMayBeAnywhere() throws IOException {
        Source album = file("album.x", "struct album { quality rating; };");
        Files.createDirectory(folder.resolve("elsewhere"));
        Source moved = new Source(
                Files.move(photos().path(), folder.resolve("elsewhere/photos.x")),
                "elsewhere/photos.x",
                Optional.of(PHOTOS));

        assertThat(generated(album, moved)).containsOnlyKeys("org/example/albums/Album.java");
        assertThat(generated(file("album.x", ALBUM), moved)).containsOnlyKeys("org/example/albums/Album.java");
    }

    @Test
    void includedFilesOfAnImportAreImported() throws IOException {
        file("sizes.x", "struct extent { int width; };");
        Source types = imported(file("types.x", "#include \"sizes.x\"\nstruct frame { extent inner; };"), "p");

        assertThat(generated(file("album.x", "struct album { extent page; frame outer; };"), types))
                .hasEntrySatisfying(
                        "org/example/albums/Album.java",
                        text -> assertThat(text).contains("import p.Extent;", "import p.Frame;"))
                .hasSize(1);
    }

    /** Files often bring the types that they need, word for word. */
    @Test
    void aRepeatedDefinitionBelongsToTheImport() throws IOException {
        Source album = file("album.x", "enum quality { RAW = 0, FINE = BEST }; struct album { quality rating; };");

        CompileResult result = compile(album, imported(photos(), PHOTOS));

        assertThat(result.generated()).containsOnlyKeys("org/example/albums/Album.java");
        assertThat(result.diagnostics()).isEmpty();
    }

    @Test
    void aConflictingDefinitionIsAnError() throws IOException {
        Source album = file("album.x", "enum quality { GOOD = 1 };");

        assertThat(compile(album, imported(photos(), PHOTOS)).diagnostics())
                .filteredOn(Diagnostic::isError)
                .extracting(Diagnostic::code)
                .containsExactly("E201");
    }

    @Test
    void clausesAndSidecarsOfAnImportDetermineItsClasses() throws IOException {
        Source types = imported(
                file(
                        "types.x",
                        "/*@ddp value */ typedef opaque handle<64>; struct page { opaque bytes<>; handle file; };"),
                "p");
        Files.writeString(folder.resolve("types.ulb"), "type page { name Sheet }  item page.bytes { eligible }");

        assertThat(generated(file("album.x", "struct album { page first; handle directory; };"), types))
                .hasEntrySatisfying(
                        "org/example/albums/Album.java",
                        text -> assertThat(text).contains("record Album(Sheet first, Handle directory)"));
    }

    /** Nobody here can do anything about them. */
    @Test
    void onlyErrorsOfImportsAreReported() throws IOException {
        Source album = file("album.x", "struct album { quality rating; };");

        assertThat(compile(photos()).diagnostics()).isNotEmpty();
        assertThat(compile(album, imported(photos(), PHOTOS)).diagnostics()).isEmpty();
        assertThat(compile(album, imported(file("photos.x", "enum quality {"), PHOTOS))
                        .diagnostics())
                .extracting(Diagnostic::code)
                .containsExactly("E101");
    }

    @Test
    void aProgramMayUseImportedTypesInCallsAndReplies() throws IOException {
        Source program = file(
                "program.x", "program ALBUMS { version V1 { photo *FIRST(quality, size3) = 1; } = 1; } = 0x20000002;");

        SortedMap<String, String> generated = generated(program, imported(photos(), PHOTOS));

        assertThat(generated.keySet()).allSatisfy(path -> assertThat(path).contains("/Albums1"));
        assertThat(generated.get("org/example/albums/Albums1Client.java"))
                .contains("List<Photo> first(Quality arg1, long arg2)");
    }

    @Test
    void oneLockManagersTypesCanBeImportedByAnother() throws IOException {
        Source program = file(
                "locks.x", "program LOCKS { version V1 { nlm4_res LOCK(nlm4_lockargs) = 1; } = 1; } = 0x20000003;");
        Source nlm = new Source(Path.of("../../spec/nlm4.x"), "nlm4.x", Optional.of("org.example.nlm"));

        assertThat(generated(program, nlm))
                .containsOnlyKeys(
                        "org/example/albums/Locks1.java",
                        "org/example/albums/Locks1AsyncServer.java",
                        "org/example/albums/Locks1Client.java",
                        "org/example/albums/Locks1Server.java");
    }

    @Test
    void aJarContainsTheDefinitionsItWasBuiltFrom() throws IOException {
        Source types = file("types.x", """
                %#define LONGEST 100
                #ifdef WIDE
                #include "more.x"
                #endif
                struct caption { string text<LONGEST>; wide width; };
                """);
        file("types.ulb", "type caption { name Title }");
        file("more.x", "typedef hyper wide;");
        SourceOptions options = new SourceOptions(new Definitions(Map.of("WIDE", "1"), Set.of()), List.of(), false);

        SortedMap<String, String> contents =
                DefinitionArchive.contents(new CompileRequest(List.of(types), "org.example.types", options));
        Path jar = jar(contents);

        assertThat(contents)
                .containsOnlyKeys("META-INF/xdr/org.example.types/types.ulb", "META-INF/xdr/org.example.types/types.x");
        try (DefinitionArchive archive = DefinitionArchive.open(jar, "types.jar!/")) {
            Source album = file("album.x", "struct album { caption title; };");
            Source[] sources =
                    Stream.concat(Stream.of(album), archive.sources().stream()).toArray(Source[]::new);
            assertThat(generated(sources))
                    .hasEntrySatisfying(
                            "org/example/albums/Album.java",
                            text -> assertThat(text).contains("import org.example.types.Title;"));
        }
    }

    /** Otherwise two packages would claim the same definitions of those who import both. */
    @Test
    void aJarDoesNotContainImports() throws IOException {
        Source album = file("album.x", ALBUM);

        SortedMap<String, String> contents = DefinitionArchive.contents(
                new CompileRequest(List.of(album, imported(photos(), PHOTOS)), "org.example.albums"));

        assertThat(contents.get("META-INF/xdr/org.example.albums/album.x"))
                .contains("struct album")
                .doesNotContain("struct photo");
    }

    private Path jar(Map<String, String> files) throws IOException {
        Path jar = folder.resolve("types.jar");
        try (FileSystem inside = FileSystems.newFileSystem(jar, Map.of("create", "true"))) {
            for (Map.Entry<String, String> file : files.entrySet()) {
                Path path = inside.getPath(file.getKey());
                Files.createDirectories(path.getParent());
                Files.writeString(path, file.getValue());
            }
        }
        return jar;
    }
}
