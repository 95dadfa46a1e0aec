// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import java.util.Optional;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.TypeDefinition.Arm;
import org.emplace.compiler.model.TypeDefinition.Field;
import org.emplace.compiler.model.TypeDefinition.Structure;
import org.emplace.compiler.model.TypeDefinition.Typedef;
import org.emplace.compiler.model.TypeDefinition.Union;
import org.emplace.compiler.model.XdrType;
import org.emplace.tests.codegen.random.RandomValue;

/** Generates C functions that print values of rpcgen's C types in the form of {@link RandomValue#text}: {@code show_TYPE(TYPE *)}. */
final class ShowInC {
    private final Protocol protocol;
    private final StringBuilder c = new StringBuilder();

    private ShowInC(Protocol protocol) {
        this.protocol = protocol;
    }

    /** The functions for all types of a protocol. They use those of recode.c for the predefined types. */
    static String functions(Protocol protocol) {
        ShowInC show = new ShowInC(protocol);
        protocol.types().keySet().forEach(name -> show.line("static void show_%1$s(%1$s *v);".formatted(name)));
        protocol.types().values().forEach(show::add);
        return show.c.toString();
    }

    private void add(TypeDefinition definition) {
        line("static void show_%1$s(%1$s *v) {".formatted(definition.name()));
        if (definition instanceof Typedef typedef) {
            show(typedef.target(), "(*v)", typedef.name());
        } else if (definition instanceof Structure structure) {
            structure.fields().forEach(field -> show(field, "v->"));
        } else if (definition instanceof Union union) {
            show(union);
        } else {
            line("show_int((int *)v);");
        }
        line("}");
    }

    private void show(Union union) {
        show(union.discriminant(), "v->");
        line("switch (v->%s) {".formatted(union.discriminant().name()));
        boolean isUnsigned = protocol.resolve(union.discriminant().type()) == XdrType.Primitive.UNSIGNED_INT;
        for (Arm arm : union.arms()) {
            arm.cases().forEach(each -> line("case %d%s:".formatted(each.value(), isUnsigned ? "U" : "")));
            arm(union, arm.field());
        }
        union.defaultArm().ifPresent(arm -> {
            line("default:");
            arm(union, arm.field());
        });
        line("}");
    }

    private void arm(Union union, Optional<Field> field) {
        field.ifPresent(each -> show(each, "v->" + union.name() + "_u."));
        line("break;");
    }

    private void show(Field field, String holder) {
        show(field.type(), holder + field.name(), field.name());
    }

    /** @param name the declaration's name, from which C derives names for counts and elements */
    private void show(XdrType type, String value, String name) {
        if (type instanceof XdrType.Primitive primitive) {
            line("show_%s(&%s);".formatted(cName(primitive), value));
        } else if (type instanceof XdrType.Reference reference) {
            line("show_%s(&%s);".formatted(reference.name(), value));
        } else if (type instanceof XdrType.FixedOpaque opaque) {
            line("show_bytes(%s, %d);".formatted(value, opaque.size()));
        } else if (type instanceof XdrType.StringType) {
            line("show_bytes(%1$s, strlen(%1$s));".formatted(value));
        } else if (type instanceof XdrType.VariableOpaque) {
            line("show_bytes(%1$s.%2$s_val, %1$s.%2$s_len);".formatted(value, name));
        } else if (type instanceof XdrType.VariableArray array) {
            String counted = value + "." + name;
            showElements(array.element(), counted + "_len", counted + "_val");
        } else if (type instanceof XdrType.FixedArray array) {
            showElements(array.element(), String.valueOf(array.size()), value);
        } else if (type instanceof XdrType.Optional optional) {
            showElements(optional.element(), value + " != NULL", value);
        }
    }

    private void showElements(XdrType element, String count, String elements) {
        line("printf(\" %%u\", (u_int)(%s));".formatted(count));
        line("for (u_int i = 0; i < (%s); i++) {".formatted(count));
        show(element, elements + "[i]", "");
        line("}");
    }

    private static String cName(XdrType.Primitive primitive) {
        return switch (primitive) {
            case INT, BOOL -> "int";
            case UNSIGNED_INT -> "u_int";
            case HYPER -> "hyper";
            case UNSIGNED_HYPER -> "u_hyper";
            case FLOAT -> "float";
            case DOUBLE -> "double";
            case QUADRUPLE, VOID -> throw new IllegalArgumentException("C has no " + primitive);
        };
    }

    private void line(String text) {
        c.append(text).append('\n');
    }
}
