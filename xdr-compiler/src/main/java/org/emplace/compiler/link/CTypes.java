// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
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

    private static final Map<String, Primitive> SIZED = Map.ofEntries(
            Map.entry("int8_t", Primitive.INT),
            Map.entry("int16_t", Primitive.INT),
            Map.entry("int32_t", Primitive.INT),
            Map.entry("int64_t", Primitive.HYPER),
            Map.entry("uint8_t", Primitive.UNSIGNED_INT),
            Map.entry("uint16_t", Primitive.UNSIGNED_INT),
            Map.entry("uint32_t", Primitive.UNSIGNED_INT),
            Map.entry("uint64_t", Primitive.UNSIGNED_HYPER),
            Map.entry("u_int8_t", Primitive.UNSIGNED_INT),
            Map.entry("u_int16_t", Primitive.UNSIGNED_INT),
            Map.entry("u_int32_t", Primitive.UNSIGNED_INT),
            Map.entry("u_int64_t", Primitive.UNSIGNED_HYPER),
            Map.entry("int32", Primitive.INT),
            Map.entry("int64", Primitive.HYPER),
            Map.entry("uint32", Primitive.UNSIGNED_INT),
            Map.entry("uint64", Primitive.UNSIGNED_HYPER));

    private CTypes() {}

    static Optional<XdrType> meaning(Name name, Collection<String> defined, Diagnostics diagnostics) {
        XdrType ofRpcgen = OF_RPCGEN.get(name.text());
        if (ofRpcgen != null) {
            diagnostics.report(Extension.C_TYPE.at(
                    name.span(), "`" + name.text() + "` is not an XDR type; treated as in rpcgen's headers"));
            return Optional.of(ofRpcgen);
        }
        Primitive sized = SIZED.get(name.text());
        if (sized != null) {
            String standard = standardName(sized);
            diagnostics.report(Extension.SIZED_INTEGER
                    .at(name.span(), "`" + name.text() + "` is not an XDR type; treated as " + standard)
                    .hint("add typedef " + standard + " " + name.text() + ";"));
            return Optional.of(sized);
        }
        Diagnostic undefined = Diagnostic.error("E202", name.span(), "there is no type `" + name.text() + "`");
        Optional<String> hint = diagnostics.wantsHints() ? Spelling.hint(name.text(), defined) : Optional.empty();
        diagnostics.report(undefined.hint(hint.orElse("if another file defines it, compile that file too")));
        return Optional.empty();
    }

    private static String standardName(Primitive type) {
        return switch (type) {
            case UNSIGNED_INT -> "unsigned int";
            case HYPER -> "hyper";
            case UNSIGNED_HYPER -> "unsigned hyper";
            default -> "int";
        };
    }
}
