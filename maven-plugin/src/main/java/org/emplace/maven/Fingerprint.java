// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.emplace.compiler.CompileRequest.Source;
import org.emplace.compiler.SourceOptions;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.output.ContentDigest;

/**
 * A digest of everything that generated sources depend on, except the content of files: the compiler, the options, and the selection of files. If two
 * executions have the same fingerprint and their files are the same, they generate the same sources.
 */
final class Fingerprint {
    private final MessageDigest digest;

    private Fingerprint(MessageDigest digest) {
        this.digest = digest;
    }

    /** The fingerprint of an execution. */
    static String of(GenerateRequest request, List<Source> sources) throws IOException {
        Fingerprint fingerprint = new Fingerprint(ContentDigest.algorithm());
        fingerprint.add("compiler", request.compilerVersion());
        fingerprint.addCompiler();
        fingerprint.add("package", request.packageName());
        fingerprint.add("output", request.outputDirectory().toString());
        fingerprint.add(request.input().options());
        for (InputRequest.Archive archive : request.input().archives()) {
            fingerprint.add("archive " + archive.name(), ContentDigest.of(archive.path()));
        }
        for (InputRequest.Archive archive : request.input().importedArchives()) {
            fingerprint.add("import " + archive.name(), ContentDigest.of(archive.path()));
        }
        for (Source source : sources) {
            fingerprint.add("source " + source.importedPackage().orElse(""), source.name());
        }
        return HexFormat.of().formatHex(fingerprint.digest.digest());
    }

    private void add(SourceOptions options) {
        options.definitions().defined().forEach((name, text) -> add("define " + name, text));
        options.definitions().undefined().forEach(name -> add("undefine", name));
        options.includePath().forEach(directory -> add("include", directory.name()));
        add("standard", Boolean.toString(options.standardOnly()));
    }

    private void add(String what, String value) {
        digest.update((what + "=" + value + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Adds the compiler's class files, because a compiler under development changes without its version. */
    private void addCompiler() throws IOException {
        CodeSource code = XdrCompiler.class.getProtectionDomain().getCodeSource();
        if (code == null) {
            return;
        }
        try (Stream<Path> files = Files.walk(Path.of(code.getLocation().toURI()))) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                add("compiler file", Files.size(file) + " " + Files.getLastModifiedTime(file));
            }
        } catch (URISyntaxException e) {
            throw new IOException("the compiler was not loaded from a file: " + code.getLocation(), e);
        }
    }
}
