// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.types;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import java.math.BigInteger;
import javax.lang.model.element.Modifier;
import org.emplace.compiler.emit.code.Javadoc;
import org.emplace.compiler.emit.code.Library;
import org.emplace.compiler.emit.code.Literals;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.model.Protocol.Constant;

/** Writes {@code const} definitions as constants of one class. */
public final class ConstantsEmitter {
    private ConstantsEmitter() {}

    public static TypeSpec emit(JavaModel model) {
        TypeSpec.Builder type = TypeSpec.classBuilder(Library.generated(model.constants()))
                .addModifiers(Modifier.PUBLIC, Modifier.FINAL)
                .addJavadoc(Javadoc.sentence("The constants of the protocol, from {@code const} definitions."))
                .addMethod(MethodSpec.constructorBuilder()
                        .addModifiers(Modifier.PRIVATE)
                        .build());
        model.protocol().constants().forEach(constant -> type.addField(field(constant, model.constant(constant))));
        return type.build();
    }

    private static FieldSpec field(Constant constant, String name) {
        boolean isInt = constant.value().bitLength() < Integer.SIZE;
        FieldSpec.Builder field = FieldSpec.builder(
                isInt ? TypeName.INT : TypeName.LONG, name, Modifier.PUBLIC, Modifier.STATIC, Modifier.FINAL);
        if (constant.value().bitLength() >= Long.SIZE) {
            field.addJavadoc(Javadoc.of(constant.documentation(), "Unsigned: {@code " + constant.value() + "}.")
                    .build());
        } else if (!constant.documentation().isBlank()) {
            field.addJavadoc(Javadoc.of(constant.documentation(), "").build());
        }
        return field.initializer(literal(constant.value())).build();
    }

    /** A literal. A value above the largest long is an unsigned hyper, written as the long with the same bits. */
    private static CodeBlock literal(BigInteger value) {
        return value.bitLength() < Long.SIZE
                ? CodeBlock.of("$L", Literals.number(value.longValue()))
                : CodeBlock.of("0x$LL", Long.toHexString(value.longValue()));
    }
}
