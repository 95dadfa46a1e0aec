// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.emplace.samples.nfs.path.PathBytes;
import org.emplace.samples.nfs.server.export.ExportDefinition.ClientRule;
import org.emplace.samples.nfs.server.export.ExportDefinition.ExportSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Parses a file in the syntax of exports(5). Each line has a directory, {@code -OPTIONS} for the clients that follow, and clients with
 * {@code (OPTIONS)} of their own. Clients are hosts' names, addresses, networks or {@code *}. A directory without clients is open to all.
 */
public final class ExportsFile {
    private static final Pattern CLIENT = Pattern.compile("([^()]*)(?:\\(([^()]*)\\))?");

    private final Path file;
    private final Map<Path, Integer> lines = new HashMap<>();

    private final Consumer<String> warnings;
    private final ExportsLines source;

    private ExportsFile(Path file, Consumer<String> warnings) throws IOException {
        this.file = file;
        this.warnings = warning -> warnings.accept(place() + warning);
        this.source = new ExportsLines(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
    }

    /**
     * The exports in a file.
     *
     * @param warnings gets a line for each option that is ignored, which begins with the file and the line
     * @throws ExportSyntaxException with a line for each error, which begins with the file and the line
     */
    public static List<ExportDefinition> read(Path file, Consumer<String> warnings)
            throws IOException, ExportSyntaxException {
        return new ExportsFile(file, warnings).parse();
    }

    private String place() {
        return file + ":" + source.line() + ": ";
    }

    private List<ExportDefinition> parse() throws ExportSyntaxException {
        List<ExportDefinition> exports = new ArrayList<>();
        List<String> errors = new ArrayList<>();
        while (true) {
            try {
                List<String> words = source.next();
                if (words.isEmpty()) {
                    break;
                }
                exports.add(export(words, source.line()));
            } catch (ExportSyntaxException e) {
                errors.add(place() + e.getMessage());
            }
        }
        if (!errors.isEmpty()) {
            throw new ExportSyntaxException(String.join("\n", errors));
        }
        return exports;
    }

    private ExportDefinition export(List<String> words, int line) throws ExportSyntaxException {
        String name = words.get(0);
        if (!name.startsWith("/") || name.indexOf('\0') >= 0) {
            throw new ExportSyntaxException("'" + name + "' is not a directory: a line begins with an absolute path");
        }
        List<ClientRule> rules = new ArrayList<>();
        ExportOptions defaults = ExportOptions.DEFAULT;
        for (String word : words.subList(1, words.size())) {
            if (word.startsWith("-")) {
                defaults = ExportOptionList.apply(word.substring(1), defaults, warnings);
            } else {
                for (ClientRule rule : rules(word, defaults)) {
                    if (rules.stream().anyMatch(earlier -> earlier.clients().equals(rule.clients()))) {
                        throw new ExportSyntaxException("the client " + rule.clients() + " is listed twice for " + name
                                + "; remove one of them");
                    }
                    rules.add(rule);
                }
            }
        }
        if (rules.isEmpty()) {
            rules.add(new ClientRule(AddressRange.ALL, defaults));
        }
        ExportDefinition export =
                new ExportDefinition(PathBytes.path(name.getBytes(StandardCharsets.ISO_8859_1)), rules);
        @Nullable Integer before = lines.put(export.directory(), line);
        if (before != null) {
            throw new ExportSyntaxException(export.directory() + " is exported on line " + before
                    + " already; list all its clients there, and end a line with \\ to continue it on the next");
        }
        return export;
    }

    private List<ClientRule> rules(String word, ExportOptions defaults) throws ExportSyntaxException {
        Matcher client = CLIENT.matcher(word);
        if (!client.matches()) {
            throw new ExportSyntaxException("'" + word + "' is not a client: write CLIENT or CLIENT(OPTION,...)");
        }
        if (client.group(1).isEmpty()) {
            throw new ExportSyntaxException("no client stands right before '" + word
                    + "'; remove the space between them, or write *" + word + " for everybody");
        }
        @Nullable String list = client.group(2);
        ExportOptions options = ExportOptionList.apply(list == null ? "" : list, defaults, warnings);
        return AddressRange.of(client.group(1)).stream()
                .map(range -> new ClientRule(range, options))
                .toList();
    }
}
