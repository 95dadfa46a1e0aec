// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.emplace.compiler.CompileRequest.Source;
import org.emplace.compiler.XdrCompiler;

/** A digest of everything that generated sources depend on: two executions with the same one generate the same. */
final class Fingerprint {
    private final MessageDigest digest;

    private Fingerprint(MessageDigest digest) {
        this.digest = digest;
    }

    /** The fingerprint of an execution. */
    static String of(GenerateRequest request, List<Source> sources) throws IOException {
        Fingerprint fingerprint = new Fingerprint(sha256());
        fingerprint.add("compiler", request.compilerVersion());
        fingerprint.addCompiler();
        fingerprint.add("package", request.packageName());
        fingerprint.add("output", request.outputDirectory().toString());
        for (Source source : sources) {
            fingerprint.addFile(source.name(), source.path());
            String name = source.path().getFileName().toString().replaceFirst("\\.x$", "") + ".ulb";
            fingerprint.addFile(source.name() + " binding", source.path().resolveSibling(name));
        }
        return HexFormat.of().formatHex(fingerprint.digest.digest());
    }

    /** The digest of a file's contents. */
    static String of(Path file) throws IOException {
        return HexFormat.of().formatHex(sha256().digest(Files.readAllBytes(file)));
    }

    private void add(String what, String value) {
        digest.update((what + "=" + value + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private void addFile(String name, Path file) throws IOException {
        add(name, Files.exists(file) ? of(file) : "absent");
    }

    /** A compiler under development changes without its version. */
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
            throw new IOException("the compiler is at no file: " + code.getLocation(), e);
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
