// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.random;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.emplace.compiler.javamodel.ReservedNames;

/** Names for definitions and members, many of which Java, its library or our generated code uses in another sense. */
final class RandomNames {
    private static final List<String> PLAIN = words("""
            file size status attr dir Page READ3res nfs_fh lock_owner Verf a B x1 seq_id
            """);

    /**
     * Keywords of Java, members of generated classes, and classes. Not keywords of C or XDR, macros of C's headers, or {@link ReservedNames}.
     */
    private static final List<String> HARD_TOO = words("""
            abstract assert boolean byte catch class exports extends final finally implements import instanceof
            interface module native new null package permits private protected public record requires sealed
            strictfp super synchronized this throw throws transient try true false var when with yield _
            name ordinal values valueOf value of compareTo describeConstable decode encode match in out each
            each1 from from1 to to1 on service server call args arg1 options connection defaults destinations
            results enter leave NOTHING PROGRAM T T_
            Map NonNull Nullable Constants Otherwise Case1 Arm java org emplace xdr rpc p q Client Server
            async_server Args Resok
            """);

    private static final List<String> HARD = Stream.of(HARD_TOO, ReservedNames.CLASSES, ReservedNames.OBJECT_METHODS)
            .flatMap(Collection::stream)
            .sorted()
            .toList();

    /** Also keywords of C; XDR allows them. */
    private static final List<String> OF_C = words("""
            auto break continue do else for goto if int_ return static volatile while
            """);

    private static final List<String> OF_XDR = words("""
            bool case char const default double enum float hyper int long opaque program quadruple short string
            struct switch typedef union unsigned version void TRUE FALSE
            """);

    /** Suffixes with which the compiler names a class beside another. */
    private static final List<String> COMPANIONS =
            List.of("Client", "_server", "AsyncServer", "Args", "Arm", "1", "_1", "_", "Async", "_PROG", "PROGRAM");

    private final Random random;
    private final Dialect dialect;
    private final String suffix;
    private final Set<String> taken = new HashSet<>();
    private final Set<String> inLowerCase = new HashSet<>();
    private final List<String> given = new ArrayList<>();

    RandomNames(Random random, Dialect dialect, long seed) {
        this.random = random;
        this.dialect = dialect;
        // The letter at the end separates the seed from a number that a Java name may have there.
        this.suffix = dialect == Dialect.RPCGEN ? "_s" + seed + "x" : "";
    }

    /** A name for a definition. */
    String global() {
        String name = dialect == Dialect.RPCGEN ? ofC() : usable(anything(), "", taken);
        given.add(name);
        return name;
    }

    /** rpcgen writes the names of procedures in lower case. */
    private String ofC() {
        String name;
        do {
            name = usable(oneOf(random.nextInt(3) == 0 ? PLAIN : HARD), suffix, taken);
        } while (!inLowerCase.add(name.toLowerCase(Locale.ROOT)));
        return name;
    }

    /** A name for a member. */
    String member(Set<String> siblings) {
        boolean isPlain = random.nextInt(3) == 0;
        return usable(dialect == Dialect.RPCGEN ? oneOf(isPlain ? PLAIN : memberOfC()) : anything(), "", siblings);
    }

    private static List<String> memberOfC() {
        return HARD.stream()
                .filter(name -> !name.equals("true") && !name.equals("false"))
                .toList();
    }

    private String anything() {
        return switch (random.nextInt(6)) {
            case 0 -> oneOf(PLAIN);
            case 1 -> given.isEmpty() ? oneOf(PLAIN) : oneOf(given) + oneOf(COMPANIONS);
            case 2 -> given.isEmpty() ? oneOf(OF_C) : respelled(oneOf(given));
            case 3 -> oneOf(OF_C);
            default -> oneOf(HARD);
        };
    }

    /** The same letters in another case, or separated by underscores. */
    private String respelled(String name) {
        return switch (random.nextInt(4)) {
            case 0 -> name.toUpperCase(Locale.ROOT);
            case 1 -> name.toLowerCase(Locale.ROOT);
            case 2 -> name.replaceAll("(?<=[a-z])(?=[A-Z])", "_");
            default -> name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
        };
    }

    /** The name, with a number if needed: names that differ only in case and underscores would need a clause. */
    private static String usable(String proposed, String suffix, Set<String> taken) {
        String name = proposed + suffix;
        for (int i = 2; isKeywordOfXdr(name) || !taken.add(letters(name)); i++) {
            name = proposed + i + suffix;
        }
        return name;
    }

    private static String letters(String name) {
        return name.replace("_", "").toLowerCase(Locale.ROOT);
    }

    private static boolean isKeywordOfXdr(String name) {
        return OF_XDR.contains(name);
    }

    private static List<String> words(String text) {
        return List.of(text.strip().split("\\s+", -1));
    }

    private String oneOf(List<String> names) {
        return names.get(random.nextInt(names.size()));
    }
}
