// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Splits XDR identifiers into words and makes Java names of them. The section "Names" of docs/generated-code.md has the rules. */
final class NameWords {

    /**
     * Before a capital after a small letter, and before the last capital of an acronym that a word follows; not before that of {@code URLs} and {@code
     * NFSv4}.
     */
    private static final String BEFORE_CAPITAL = "(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z](?!v[0-9]|s(?![a-z]))[a-z])";

    private static final Pattern BETWEEN_CAPITALS = Pattern.compile(BEFORE_CAPITAL);
    private static final Pattern BETWEEN_WORDS = Pattern.compile("_|(?<=[0-9])(?=[A-Za-z])|" + BEFORE_CAPITAL);

    private NameWords() {}

    /** {@code READ3resok} → {@code Read3Resok}, {@code SCPQuorumSet} → {@code ScpQuorumSet}. */
    static String capitalized(String identifier) {
        return validStart(split(identifier).map(NameWords::capital).collect(Collectors.joining()));
    }

    /** {@code rdma_xid} → {@code rdmaXid}. */
    static String camel(String identifier) {
        return decapitalized(capitalized(identifier));
    }

    /** {@code GetFh} → {@code getFh}. */
    static String decapitalized(String className) {
        return className.substring(0, 1).toLowerCase(Locale.ROOT) + className.substring(1);
    }

    /** {@code getFh} → {@code GetFh}. */
    static String withCapital(String name) {
        return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    }

    /** {@code getAddr} → {@code GET_ADDR}; digits stay with the letters on either side. */
    static String constant(String identifier) {
        return validStart(BETWEEN_CAPITALS.matcher(identifier).replaceAll("_").toUpperCase(Locale.ROOT));
    }

    /** {@code GETATTR} → {@code getattr}; {@code NULL} → {@code nullProcedure}, because {@code null} is a keyword. */
    static String method(String procedure) {
        String name = camel(procedure);
        return NameScope.isKeyword(name) ? name + "Procedure" : name;
    }

    /** An identifier without a prefix, if it has the prefix and the rest is a name. */
    static String without(String prefix, String identifier) {
        boolean leavesAName = identifier.startsWith(prefix)
                && identifier.length() > prefix.length()
                && Character.isLetter(identifier.charAt(prefix.length()));
        return leavesAName ? identifier.substring(prefix.length()) : identifier;
    }

    /** A procedure's name without the program's, if it begins with that: {@code NFSPROC3_READ} of NFS, {@code ALBUM_FIND} of ALBUM. */
    static String withoutProgram(String program, String procedure) {
        String name = program.replaceFirst("[0-9_]+$", "");
        if (name.isEmpty()) {
            return procedure;
        }
        return procedure.replaceFirst("(?i)^" + Pattern.quote(name) + "(_?PROC)?_?[0-9]*_(?=[A-Za-z])", "");
    }

    private static Stream<String> split(String identifier) {
        return BETWEEN_WORDS.splitAsStream(identifier).filter(word -> !word.isEmpty());
    }

    private static String capital(String word) {
        return withCapital(word.toLowerCase(Locale.ROOT));
    }

    private static String validStart(String name) {
        return !name.isEmpty() && Character.isJavaIdentifierStart(name.charAt(0)) ? name : "X" + name;
    }
}
