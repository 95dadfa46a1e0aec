// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** C's XDR compiler, with gcc and libtirpc, run as commands in a folder. {@code ./check} installs them. */
record Rpcgen(Path folder) {
    private static final long LIMIT_SECONDS = 120;

    /** Compiles an XDR file, which may include files beside it, to the header {@code NAME.h} and coding routines {@code NAME_xdr.c} in the folder. */
    void compile(Path protocol) throws IOException, InterruptedException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(protocol.resolveSibling(""), "*.x")) {
            for (Path file : files) {
                Files.copy(file, folder.resolve(file.getFileName().toString()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        String name = protocol.getFileName().toString().replaceFirst("\\.x$", "");
        generate("-h", name + ".h", name + ".x");
        generate("-c", name + "_xdr.c", name + ".x");
    }

    /** Runs rpcgen once. Deletes the old output first, because rpcgen does not overwrite files. */
    private void generate(String kind, String output, String protocol) throws IOException, InterruptedException {
        Files.deleteIfExists(folder.resolve(output));
        run("rpcgen", kind, "-o", output, protocol);
    }

    /** Builds a C program with the routines of {@code protocol} and runs it. Returns its output: lines of a name and hex digits. */
    Map<String, String> values(Path program, String protocol) throws IOException, InterruptedException {
        build(program, protocol);
        Map<String, String> values = new TreeMap<>();
        for (String line : run("./values").lines().toList()) {
            int space = line.indexOf(' ');
            values.put(line.substring(0, space), line.substring(space + 1));
        }
        return values;
    }

    /** Builds a C program with the routines of {@code protocol} and runs it with some lines of input. Returns its output. */
    List<String> answers(Path program, String protocol, List<String> input, String... options)
            throws IOException, InterruptedException {
        build(program, protocol, options);
        Path lines = Files.write(folder.resolve("input.txt"), input);
        return run(Optional.of(lines), "./values").lines().toList();
    }

    private void build(Path program, String protocol, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("gcc", "-I/usr/include/tirpc", "-I."));
        command.addAll(List.of(options));
        command.addAll(List.of("-o", "values", program.toAbsolutePath().toString(), protocol + "_xdr.c", "-ltirpc"));
        run(command.toArray(String[]::new));
    }

    private String run(String... command) throws IOException, InterruptedException {
        return run(Optional.empty(), command);
    }

    private String run(Optional<Path> input, String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(folder, "output", ".txt");
        ProcessBuilder builder = new ProcessBuilder(List.of(command))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        input.ifPresent(file -> builder.redirectInput(file.toFile()));
        Process process = builder.start();
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(String.join(" ", command) + " did not end");
        }
        String said = Files.readString(output);
        if (process.exitValue() != 0) {
            throw new IOException(String.join(" ", command) + " failed: " + said);
        }
        return said;
    }
}
