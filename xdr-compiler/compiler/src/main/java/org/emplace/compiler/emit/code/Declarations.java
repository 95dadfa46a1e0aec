// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.code;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.emplace.compiler.model.TypeDefinition.Arm;
import org.emplace.compiler.model.TypeDefinition.CaseValue;
import org.emplace.compiler.model.TypeDefinition.Field;
import org.emplace.compiler.model.TypeDefinition.Structure;
import org.emplace.compiler.model.TypeDefinition.Typedef;
import org.emplace.compiler.model.TypeDefinition.Union;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.model.XdrType.Primitive;
import org.emplace.compiler.model.XdrType.Reference;

/** Definitions in the XDR language, for Javadoc. */
public final class Declarations {
    private static final String INDENT = "    ";

    private Declarations() {}

    public static String of(Typedef typedef) {
        return "typedef " + declaration(typedef.target(), typedef.name()) + ";\n";
    }

    public static String of(Structure structure) {
        return structure.fields().stream()
                .map(field -> INDENT + declaration(field.type(), field.name()) + ";\n")
                .collect(Collectors.joining("", "struct " + structure.name() + " {\n", "};\n"));
    }

    public static String of(Union union) {
        StringBuilder text = new StringBuilder("union " + union.name() + " switch ("
                + declaration(union.discriminant().type(), union.discriminant().name()) + ") {\n");
        for (Arm arm : union.arms()) {
            arm.cases()
                    .forEach(each -> text.append("case ").append(each.label()).append(":\n"));
            text.append(body(arm.field()));
        }
        union.defaultArm().ifPresent(arm -> text.append("default:\n").append(body(arm.field())));
        return text.append("};\n").toString();
    }

    /** The labels of an arm as Javadoc lists them. */
    public static String labels(List<CaseValue> cases) {
        return cases.stream()
                .map(each -> "{@code " + each.label() + "}")
                .collect(Collectors.joining(cases.size() == 2 ? " and " : ", "));
    }

    private static String body(Optional<Field> field) {
        return INDENT + field.map(each -> declaration(each.type(), each.name())).orElse("void") + ";\n";
    }

    private static String declaration(XdrType type, String name) {
        if (type instanceof XdrType.FixedOpaque opaque) {
            return "opaque " + name + "[" + opaque.size() + "]";
        }
        if (type instanceof XdrType.VariableOpaque opaque) {
            return "opaque " + name + bound(opaque.max());
        }
        if (type instanceof XdrType.StringType string) {
            return "string " + name + bound(string.max());
        }
        if (type instanceof XdrType.FixedArray array) {
            return specifier(array.element()) + " " + name + "[" + array.size() + "]";
        }
        if (type instanceof XdrType.VariableArray array) {
            return specifier(array.element()) + " " + name + bound(array.max());
        }
        if (type instanceof XdrType.Optional optional) {
            return specifier(optional.element()) + " *" + name;
        }
        return specifier(type) + " " + name;
    }

    private static String bound(long max) {
        return Literals.isUnbounded(max) ? "<>" : "<" + max + ">";
    }

    private static String specifier(XdrType type) {
        if (type instanceof Reference reference) {
            return reference.name();
        }
        if (!(type instanceof Primitive primitive)) {
            throw new IllegalArgumentException("an array or optional of an unnamed " + type);
        }
        return switch (primitive) {
            case INT -> "int";
            case UNSIGNED_INT -> "unsigned int";
            case HYPER -> "hyper";
            case UNSIGNED_HYPER -> "unsigned hyper";
            case FLOAT -> "float";
            case DOUBLE -> "double";
            case QUADRUPLE -> "quadruple";
            case BOOL -> "bool";
            case VOID -> "void";
        };
    }
}
