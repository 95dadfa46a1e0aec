// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.preprocess;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.preprocess.Macros.Macro;
import org.emplace.compiler.source.Span;

/**
 * The macros defined before the first line of a file: {@code RPC_HDR}, as when rpcgen makes a header, and those of the user.
 *
 * @param defined texts by name
 * @param undefined names that are not defined even so
 */
public record Definitions(SortedMap<String, String> defined, SortedSet<String> undefined) {

    private static final String HEADER_PASS = "RPC_HDR";
    private static final Span PLACE = Span.ofFile("<options>");

    /** Only the macros that rpcgen defines. */
    public static final Definitions DEFAULT = new Definitions(Map.of(), Set.of());

    public Definitions {
        defined = Collections.unmodifiableSortedMap(new TreeMap<>(defined));
        undefined = Collections.unmodifiableSortedSet(new TreeSet<>(undefined));
    }

    /** Makes copies of its arguments. */
    public Definitions(Map<String, String> defined, Set<String> undefined) {
        this(new TreeMap<>(defined), new TreeSet<>(undefined));
    }

    Macros macros(Diagnostics diagnostics) {
        Macros macros = new Macros(diagnostics);
        if (!defined.containsKey(HEADER_PASS)) {
            define(macros, HEADER_PASS, "1");
        }
        defined.forEach((name, text) -> define(macros, name, text));
        undefined.forEach(macros::undefine);
        return macros;
    }

    private static void define(Macros macros, String name, String text) {
        macros.define(new Macro(name, false, new LineScanner().scan(text, 1), PLACE));
    }
}
