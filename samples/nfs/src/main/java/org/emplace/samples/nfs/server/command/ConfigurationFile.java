// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.command;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * A file with options of a command. Each line has the name of an option without its dashes and, after {@code =}, its value. {@code #} begins a comment
 * at the beginning of a line.
 */
final class ConfigurationFile {
    private static final Set<String> ONLY_ON_THE_COMMAND_LINE =
            Set.of("--config", "--check-config", "--help", "--version");

    private final Path file;
    private final Supplier<CommandLine> parsers;
    private final Set<String> names = new HashSet<>();

    /** @param parsers creates what parses the command's options */
    ConfigurationFile(Path file, Supplier<CommandLine> parsers) {
        this.file = file;
        this.parsers = parsers;
    }

    /**
     * The arguments of a command line together with the options in this file, except those that the command line has too.
     *
     * @throws IOException with a line for each error, which begins with the file and the line
     */
    String[] arguments(ParseResult given) throws IOException {
        List<String> arguments = new ArrayList<>();
        List<String> errors = new ArrayList<>();
        int number = 0;
        for (String line : lines()) {
            number++;
            String option = line.strip();
            if (option.isEmpty() || option.startsWith("#")) {
                continue;
            }
            try {
                String name = "--" + option.split("[\\s=]", 2)[0];
                String argument =
                        argument(name, option.substring(name.length() - 2).strip());
                if (!given.hasMatchedOption(name)) {
                    arguments.add(argument);
                }
            } catch (ParameterException e) {
                errors.add(file + ":" + number + ": " + e.getMessage());
            }
        }
        if (!errors.isEmpty()) {
            throw new IOException(String.join("\n", errors));
        }
        arguments.addAll(given.originalArgs());
        return arguments.toArray(String[]::new);
    }

    private List<String> lines() throws IOException {
        try {
            return Files.readAllLines(file);
        } catch (NoSuchFileException e) {
            throw new IOException(file + ": no such file", e);
        } catch (CharacterCodingException e) {
            throw new IOException(file + ": not in UTF-8", e);
        } catch (IOException e) {
            throw new IOException(file + ": cannot be read: " + e, e);
        }
    }

    /** @param rest is empty, or begins with '=' */
    private String argument(String name, String rest) {
        CommandLine parser = parsers.get();
        @Nullable OptionSpec option = parser.getCommandSpec().findOption(name);
        if (option == null || ONLY_ON_THE_COMMAND_LINE.contains(name)) {
            throw new ParameterException(parser, "'" + name.substring(2) + "' is not an option of this file");
        }
        if (!names.add(name) && !option.isMultiValue()) {
            throw new ParameterException(parser, "'" + name.substring(2) + "' is set twice");
        }
        if (!rest.isEmpty() && rest.charAt(0) != '=') {
            throw new ParameterException(parser, "there is no '=' between the option and its value");
        }
        String argument = rest.isEmpty() ? name : name + "=" + rest.substring(1).strip();
        parser.parseArgs(argument);
        return argument;
    }
}
