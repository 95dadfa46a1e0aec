// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.types;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeName;
import java.util.Collection;
import java.util.List;
import javax.lang.model.element.Modifier;
import org.emplace.compiler.emit.code.Javadoc;
import org.emplace.compiler.emit.code.Layout;
import org.emplace.compiler.emit.code.Library;
import org.emplace.compiler.emit.mappings.Mapping;
import org.emplace.compiler.emit.mappings.ScalarMapping;
import org.emplace.compiler.javamodel.Component;

/** Generated methods, complete or begun, and the names and expressions in them. */
public final class Methods {
    private Methods() {}

    /** Begins a public method with a sentence of Javadoc, which is in HTML. */
    public static MethodSpec.Builder described(String name, String html, TypeName result, Modifier... modifiers) {
        return MethodSpec.methodBuilder(name)
                .addModifiers(Modifier.PUBLIC)
                .addModifiers(modifiers)
                .addJavadoc(Javadoc.sentence(html))
                .returns(result);
    }

    public static MethodSpec.Builder encode(String out) {
        return MethodSpec.methodBuilder("encode")
                .addAnnotation(Override.class)
                .addModifiers(Modifier.PUBLIC)
                .addParameter(Library.ENCODER, out);
    }

    public static MethodSpec.Builder decode(TypeName self, String in) {
        return described(
                        "decode",
                        "Decodes a value; throws if the input is truncated or malformed.",
                        self,
                        Modifier.STATIC)
                .addParameter(Library.DECODER, in)
                .addException(Library.EXCEPTION);
    }

    /**
     * The method that encodes a record's components in order. It writes two adjacent numbers of one kind by one call, which takes hardly longer than
     * writing one.
     *
     * @param before encodes what precedes the components
     * @param isRecursive whether the value counts as a level of nesting
     */
    public static MethodSpec encodeAll(List<Component> components, CodeBlock before, boolean isRecursive) {
        List<String> names = components.stream().map(Component::name).toList();
        String out = unused("out", names);
        MethodSpec.Builder method = encode(out);
        if (isRecursive) {
            method.addStatement("$L.enter()", out);
        }
        method.addCode(before);
        for (int i = 0; i < components.size(); i++) {
            Component component = components.get(i);
            if (Mapping.of(component.type()) instanceof ScalarMapping scalar
                    && scalar.isWrittenInPairs()
                    && i + 1 < components.size()
                    && components.get(i + 1).type().equals(component.type())) {
                i++;
                method.addStatement(scalar.encodePair(
                        out, component.name(), components.get(i).name()));
            } else {
                method.addStatement(encode(component, out));
            }
        }
        if (isRecursive) {
            method.addStatement("$L.leave()", out);
        }
        return method.build();
    }

    /** A variable name that hides no other. */
    public static String unused(String proposed, Collection<String> others) {
        String name = proposed;
        while (others.contains(name)) {
            name += "_";
        }
        return name;
    }

    private static CodeBlock encode(Component component, String out) {
        return Mapping.of(component.type()).encode(out, CodeBlock.of("$L", component.name()), 0);
    }

    /** Expressions that decode the values of a record's components, in order. */
    public static List<CodeBlock> decodeAll(List<Component> components) {
        return components.stream()
                .map(each -> Mapping.of(each.type()).decode("in", 0))
                .toList();
    }

    /** {@code new Foo(in.readInt(), Bar.decode(in))}. */
    public static CodeBlock construct(ClassName type, List<CodeBlock> arguments) {
        return CodeBlock.of("new $T$L", type, Layout.arguments(arguments));
    }

    /** A field of the class, qualified if a parameter has the same name. */
    public static String field(String name, Collection<String> parameters) {
        return parameters.contains(name) ? "this." + name : name;
    }
}
