// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.syntax.Name;

/**
 * Names that a file uses without defining them: those that rpcgen's C headers bring are taken with a warning, others are an error. The
 * sized names ({@code uint32_t} and the like) differ from system to system and are left to the file to define.
 */
final class CTypes {

    private static final Map<String, XdrType> OF_RPCGEN = Map.of(
            "u_int", XdrType.Primitive.UNSIGNED_INT,
            "u_long", XdrType.Primitive.UNSIGNED_INT,
            "u_short", XdrType.Primitive.UNSIGNED_INT,
            "u_char", XdrType.Primitive.UNSIGNED_INT,
            "bool_t", XdrType.Primitive.BOOL,
            "quad_t", XdrType.Primitive.HYPER,
            "u_quad_t", XdrType.Primitive.UNSIGNED_HYPER,
            "longlong_t", XdrType.Primitive.HYPER,
            "u_longlong_t", XdrType.Primitive.UNSIGNED_HYPER);

    private static final Map<String, String> HINTS = Map.of(
            "uint32", "typedef unsigned int uint32;",
            "uint32_t", "typedef unsigned int uint32_t;",
            "int32", "typedef int int32;",
            "int32_t", "typedef int int32_t;",
            "uint64", "typedef unsigned hyper uint64;",
            "uint64_t", "typedef unsigned hyper uint64_t;",
            "int64", "typedef hyper int64;",
            "int64_t", "typedef hyper int64_t;");

    private CTypes() {}

    static Optional<XdrType> meaning(Name name, Collection<String> defined, Diagnostics diagnostics) {
        XdrType meaning = OF_RPCGEN.get(name.text());
        if (meaning != null) {
            diagnostics.report(Diagnostic.warning(
                    "W221", name.span(), "`" + name.text() + "` is no XDR type; taken as what rpcgen makes of it"));
            return Optional.of(meaning);
        }
        Diagnostic undefined = Diagnostic.error("E202", name.span(), "there is no type `" + name.text() + "`");
        Optional<String> hint = Optional.ofNullable(HINTS.get(name.text()))
                .map(definition -> "XDR has no such type of its own; add " + definition)
                .or(() -> Spelling.hint(name.text(), defined));
        diagnostics.report(hint.map(undefined::hint).orElse(undefined));
        return Optional.empty();
    }
}
