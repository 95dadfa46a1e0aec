// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import com.palantir.javapoet.ArrayTypeName;
import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import java.util.Optional;
import javax.lang.model.element.Modifier;
import org.emplace.compiler.javamodel.JavaName;

/**
 * The methods of a set of bits: by number, and by constant if an enum names the bits.
 *
 * @param self the set's class
 */
record BitsMethods(ClassName self, Optional<JavaName> names) {

    void addTo(TypeSpec.Builder type) {
        type.addMethod(Methods.described("of", "A set of the bits with these numbers.", self, Modifier.STATIC)
                .addParameter(ArrayTypeName.of(TypeName.INT), "numbers")
                .varargs()
                .addStatement("return new $T($T.of(numbers))", self, Library.BITS)
                .build());
        add(type, TypeName.INT, "number", CodeBlock.of("number"));
        names.map(Library::generated).ifPresent(constants -> {
            type.addMethod(Methods.described("of", "A set of these bits.", self, Modifier.STATIC)
                    .addParameter(constants, "first")
                    .addParameter(ArrayTypeName.of(constants), "more")
                    .varargs()
                    .addStatement("$T set = of(first.value())", self)
                    .beginControlFlow("for ($T each : more)", constants)
                    .addStatement("set = set.with(each)")
                    .endControlFlow()
                    .addStatement("return set")
                    .build());
            add(type, constants, "bit", CodeBlock.of("bit.value()"));
        });
    }

    private void add(TypeSpec.Builder type, TypeName bit, String parameter, CodeBlock number) {
        type.addMethod(Methods.described("contains", "Whether a bit is in the set.", TypeName.BOOLEAN)
                        .addParameter(bit, parameter)
                        .addStatement("return bits.contains($L)", number)
                        .build())
                .addMethod(Methods.described("with", "A copy of this set with a bit added.", self)
                        .addParameter(bit, parameter)
                        .addStatement("return new $T(bits.with($L))", self, number)
                        .build())
                .addMethod(Methods.described("without", "A copy of this set without a bit.", self)
                        .addParameter(bit, parameter)
                        .addStatement("return new $T(bits.without($L))", self, number)
                        .build());
    }
}
