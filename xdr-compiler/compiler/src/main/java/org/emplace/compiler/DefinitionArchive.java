// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.ProviderNotFoundException;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import org.emplace.compiler.CompileRequest.Source;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Imports;
import org.emplace.compiler.preprocess.IncludePath;
import org.emplace.compiler.preprocess.PreprocessedText;
import org.emplace.compiler.preprocess.Preprocessor;
import org.emplace.compiler.source.SourceFile;

/**
 * A jar with the definitions from which its classes were generated, so that other protocols can import them: {@code META-INF/xdr/PACKAGE/NAME.x} and
 * its sidecar, where PACKAGE is the package of the classes. Its files can be read until it is closed.
 */
public final class DefinitionArchive implements Closeable {
    private static final String FOLDER = "META-INF/xdr";
    private static final String OUTSIDE = "^(\\.{0,2}/)+";

    private final Optional<FileSystem> jar;
    private final List<Source> sources;

    private DefinitionArchive(Optional<FileSystem> jar, List<Source> sources) {
        this.jar = jar;
        this.sources = List.copyOf(sources);
    }

    /**
     * Opens a jar, or a folder of classes.
     *
     * @param prefix the beginning of the names of its files
     * @throws FileSystemException if there is neither
     */
    public static DefinitionArchive open(Path place, String prefix) throws IOException {
        if (Files.isDirectory(place)) {
            return new DefinitionArchive(Optional.empty(), sources(place, prefix));
        }
        FileSystem jar = jar(place);
        try {
            return new DefinitionArchive(Optional.of(jar), sources(jar.getPath("/"), prefix));
        } catch (IOException e) {
            jar.close();
            throw e;
        }
    }

    /**
     * Opens a jar.
     *
     * @throws FileSystemException if there is none
     */
    public static FileSystem jar(Path place) throws IOException {
        if (!Files.exists(place)) {
            throw new NoSuchFileException(place.toString());
        }
        try {
            return FileSystems.newFileSystem(place);
        } catch (ZipException | ProviderNotFoundException e) {
            FileSystemException noJar = new FileSystemException(place.toString(), null, "not a jar");
            noJar.initCause(e);
            throw noJar;
        }
    }

    private static List<Source> sources(Path root, String prefix) throws IOException {
        Path folder = root.resolve(FOLDER);
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".x"))
                    .sorted()
                    .map(file -> new Source(
                            file,
                            prefix + root.relativize(file).toString().replace('\\', '/'),
                            Optional.of(folder.relativize(file).getName(0).toString())))
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** The files, as imports; empty if there are none. */
    public List<Source> sources() {
        return sources;
    }

    @Override
    public void close() throws IOException {
        if (jar.isPresent()) {
            jar.get().close();
        }
    }

    /**
     * The files for a jar, so that others can import what a request compiles. The texts are preprocessed, so that they have the same meaning
     * everywhere. Text that is included from imports is left out, because it belongs to other jars.
     *
     * @param request one that compiles without errors
     * @return texts by path in the jar
     */
    public static SortedMap<String, String> contents(CompileRequest request) throws IOException {
        IncludePath files = XdrCompiler.includePath(request.sources(), request.options());
        Imports imports = XdrCompiler.imports(request.sources());
        List<Source> own = request.sources().stream()
                .filter(source -> source.importedPackage().isEmpty())
                .toList();
        SortedMap<String, String> contents = new TreeMap<>();
        for (Source source : own) {
            SourceFile file = files.read(source.path(), source.name());
            PreprocessedText text = Preprocessor.run(file, request.options().definitions(), files, new Diagnostics())
                    .orElseThrow(() -> new IllegalArgumentException(source.name() + " has errors"));
            String path = FOLDER + "/" + request.packageName() + "/" + name(source, own);
            contents.put(
                    path, text.standingAlone(name -> imports.packageOf(name).isEmpty()));
            Source sidecar = source.sidecar();
            if (files.has(sidecar.path())) {
                contents.put(
                        path.substring(0, path.length() - fileName(source).length()) + fileName(sidecar),
                        files.read(sidecar.path(), sidecar.name()).text());
            }
        }
        return contents;
    }

    /** The name of the file alone, unless another file has the same. */
    private static String name(Source source, List<Source> all) {
        String name = fileName(source);
        boolean isOnlyOne =
                all.stream().filter(each -> fileName(each).equals(name)).count() == 1;
        return isOnlyOne ? name : source.name().replace('\\', '/').replaceFirst(OUTSIDE, "");
    }

    private static String fileName(Source source) {
        return source.path().getFileName().toString();
    }
}
