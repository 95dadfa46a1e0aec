// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.diagnostic.Extension;
import org.emplace.compiler.diagnostic.Spelling;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.model.XdrType.Primitive;
import org.emplace.compiler.syntax.Name;

/** Types that a file may use without defining them: those that C's headers define for the output of rpcgen, and the sized integers in RFCs. */
final class CTypes {

    private static final Map<String, XdrType> OF_RPCGEN = Map.ofEntries(
            Map.entry("u_int", Primitive.UNSIGNED_INT),
            Map.entry("u_long", Primitive.UNSIGNED_INT),
            Map.entry("u_short", Primitive.UNSIGNED_INT),
            Map.entry("u_char", Primitive.UNSIGNED_INT),
            Map.entry("bool_t", Primitive.BOOL),
            Map.entry("quad_t", Primitive.HYPER),
            Map.entry("u_quad_t", Primitive.UNSIGNED_HYPER),
            Map.entry("longlong_t", Primitive.HYPER),
            Map.entry("u_longlong_t", Primitive.UNSIGNED_HYPER),
            Map.entry("netobj", new XdrType.VariableOpaque(1024)),
            Map.entry("des_block", new XdrType.FixedOpaque(8)));

    /** The names of sized integers in C and in RFCs. */
    private static final Pattern SIZED = Pattern.compile("(?:u_?)?int(?:8|16|32|64)_t|u?int(?:32|64)");

    private CTypes() {}

    static Optional<XdrType> meaning(Name name, Collection<String> defined, Diagnostics diagnostics) {
        XdrType ofRpcgen = OF_RPCGEN.get(name.text());
        if (ofRpcgen != null) {
            diagnostics.report(Extension.C_TYPE.at(
                    name.span(), "`" + name.text() + "` is not an XDR type; treated as in rpcgen's headers"));
            return Optional.of(ofRpcgen);
        }
        if (SIZED.matcher(name.text()).matches()) {
            boolean isHyper = name.text().contains("64");
            boolean isUnsigned = name.text().startsWith("u");
            String standard = (isUnsigned ? "unsigned " : "") + (isHyper ? "hyper" : "int");
            diagnostics.report(Extension.SIZED_INTEGER
                    .at(name.span(), "`" + name.text() + "` is not an XDR type; treated as " + standard)
                    .hint("add typedef " + standard + " " + name.text() + ";"));
            return Optional.of(
                    isHyper
                            ? isUnsigned ? Primitive.UNSIGNED_HYPER : Primitive.HYPER
                            : isUnsigned ? Primitive.UNSIGNED_INT : Primitive.INT);
        }
        Diagnostic undefined = Diagnostic.error("E202", name.span(), "there is no type `" + name.text() + "`");
        Optional<String> hint = diagnostics.wantsHints() ? Spelling.hint(name.text(), defined) : Optional.empty();
        diagnostics.report(undefined.hint(hint.orElse("if another file defines it, compile that file too")));
        return Optional.empty();
    }
}
