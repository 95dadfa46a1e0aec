// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import java.util.List;
import javax.lang.model.element.Modifier;

/** The beginnings of the methods that every generated value has. */
final class Methods {
    private Methods() {}

    static MethodSpec.Builder encode(String out) {
        return MethodSpec.methodBuilder("encode")
                .addAnnotation(Override.class)
                .addModifiers(Modifier.PUBLIC)
                .addParameter(Library.ENCODER, out);
    }

    static MethodSpec.Builder decode(TypeName self, String in) {
        return MethodSpec.methodBuilder("decode")
                .addModifiers(Modifier.PUBLIC, Modifier.STATIC)
                .addJavadoc(Javadoc.sentence("Decodes a value."))
                .returns(self)
                .addParameter(Library.DECODER, in)
                .addException(Library.EXCEPTION);
    }

    /** The encoding of a record's components, one after the other. */
    static MethodSpec encodeAll(List<Component> components, CodeBlock before) {
        List<String> names = components.stream().map(Component::name).toList();
        String out = NameScope.ofMembers().reserve(names).claim("out");
        MethodSpec.Builder method = encode(out).addCode(before);
        components.forEach(component -> method.addStatement(component.encode(out)));
        return method.build();
    }

    /** {@code new Foo(in.readInt(), Bar.decode(in))}. */
    static CodeBlock construct(ClassName type, List<CodeBlock> arguments) {
        return CodeBlock.of("new $T$L", type, Lines.arguments(arguments));
    }
}
