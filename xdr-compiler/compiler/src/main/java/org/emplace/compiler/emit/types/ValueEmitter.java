// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.types;

import com.palantir.javapoet.ArrayTypeName;
import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import java.util.List;
import java.util.Optional;
import javax.lang.model.element.Modifier;
import org.emplace.compiler.emit.code.Contract;
import org.emplace.compiler.emit.code.Declarations;
import org.emplace.compiler.emit.code.Javadoc;
import org.emplace.compiler.emit.code.Library;
import org.emplace.compiler.emit.mappings.NumbersMapping;
import org.emplace.compiler.javamodel.Component;
import org.emplace.compiler.javamodel.JavaClass.Value;
import org.emplace.compiler.javamodel.JavaName;
import org.emplace.compiler.javamodel.JavaType;


/** Writes a {@code typedef} that is a type of its own: a record of the aliased type. */
public final class ValueEmitter {
    private ValueEmitter() {}

    public static TypeSpec.Builder emit(Value value) {
        ClassName self = Library.generated(value.name());
        List<Component> components = List.of(value.component());
        TypeSpec.Builder type = Records.builder(self, components)
                .addModifiers(Modifier.PUBLIC)
                .addSuperinterface(Library.VALUE)
                .addJavadoc(Javadoc.of(value.definition(), "typedef")
                        .declaration(Declarations.of(value.definition()))
                        .build())
                .addJavadoc(tag(value.component()));
        if (value.component().type() instanceof JavaType.Bits) {
            new BitsMethods(self, value.bitNames()).addTo(type);
        } else {
            factories(type, self, value);
        }
        return type.addMethod(Methods.encodeAll(components, CodeBlock.of(""), false))
                .addMethod(Methods.decode(self, "in")
                        .addStatement("return $L", Methods.construct(self, Methods.decodeAll(components)))
                        .build());
    }

    /** The tag of a component. It does not repeat the definition's comment. */
    private static CodeBlock tag(Component component) {
        String contract = Contract.of(component.type());
        return contract.isEmpty() ? CodeBlock.of("") : CodeBlock.of("\n@param $L $L\n", component.name(), contract);
    }

    private static void factories(TypeSpec.Builder type, ClassName self, Value value) {
        JavaType held = value.component().type();
        if (held instanceof JavaType.Numbers numbers) {
            NumbersMapping mapping = new NumbersMapping(numbers);
            type.addMethod(factory(
                    self,
                    "Creates a value that holds these numbers.",
                    ArrayTypeName.of(mapping.elementType()),
                    "values",
                    CodeBlock.of("$T.of(values)", mapping.type())));
        } else if (held instanceof JavaType.Bytes bytes) {
            boolean isString = bytes.kind() == JavaType.Bytes.Kind.STRING;
            if (isString || value.isText()) {
                type.addMethod(factory(
                        self,
                        "Creates a value that holds this text in UTF-8.",
                        ClassName.get(String.class),
                        "text",
                        CodeBlock.of(
                                "$T.$L(text)",
                                isString ? Library.STRING : Library.OPAQUE,
                                isString ? "of" : "ofUtf8")));
            }
            if (!isString) {
                type.addMethod(factory(
                        self,
                        "Creates a value that holds a copy of these bytes.",
                        ArrayTypeName.of(TypeName.BYTE),
                        "bytes",
                        CodeBlock.of("$T.of(bytes)", Library.OPAQUE)));
            }
        }
    }

    private static MethodSpec factory(
            ClassName self, String javadoc, TypeName parameter, String name, CodeBlock value) {
        return Methods.described("of", javadoc, self, Modifier.STATIC)
                .addParameter(parameter, name)
                .varargs(parameter instanceof ArrayTypeName)
                .addStatement("return new $T($L)", self, value)
                .build();
    }

    /**
     * The methods of a set of bits: by number, and by constant if an enum names the bits.
     *
     * @param self the set's class
     */
    private record BitsMethods(ClassName self, Optional<JavaName> names) {

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
}
