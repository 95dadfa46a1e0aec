// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.mappings;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;
import java.util.Objects;
import org.emplace.compiler.javamodel.JavaType;

/** A type in Java source: its name, and the expressions that encode, decode and check its values. Each kind of type has its own class. */
public sealed interface Mapping
        permits ScalarMapping,
                BytesMapping,
                NumbersMapping,
                BitsMapping,
                ListMapping,
                LinkedListMapping,
                OptionalMapping,
                OptionalNumberMapping,
                ChunkItemMapping,
                NamedMapping {

    /** The mapping of a type. */
    static Mapping of(JavaType type) {
        if (type instanceof JavaType.Scalar scalar) {
            return new ScalarMapping(scalar);
        } else if (type instanceof JavaType.Bytes bytes) {
            return new BytesMapping(bytes);
        } else if (type instanceof JavaType.Numbers numbers) {
            return new NumbersMapping(numbers);
        } else if (type instanceof JavaType.Bits bits) {
            return new BitsMapping(bits);
        } else if (type instanceof JavaType.Array array) {
            return new ListMapping(array, of(array.element()));
        } else if (type instanceof JavaType.LinkedList list) {
            return new LinkedListMapping(list, of(list.element()));
        } else if (type instanceof JavaType.ChunkItem chunk) {
            return new ChunkItemMapping(chunk, of(chunk.item()));
        } else if (type instanceof JavaType.OptionalData optional) {
            return OptionalNumberMapping.isFor(optional.element())
                    ? new OptionalNumberMapping(optional, new ScalarMapping((JavaType.Scalar) optional.element()))
                    : new OptionalMapping(optional, of(optional.element()));
        }
        return new NamedMapping((JavaType.Generated) type);
    }

    /** The type in the Java model. */
    JavaType model();

    /** The Java type. */
    TypeName type();

    /**
     * An expression statement, without its semicolon, that encodes a value.
     *
     * @param depth the number of enclosing lambdas
     */
    CodeBlock encode(String out, CodeBlock value, int depth);

    /**
     * An expression that decodes a value.
     *
     * @param depth the number of enclosing lambdas
     */
    CodeBlock decode(String in, int depth);

    /** An expression for an {@code XdrCodec.Writer} of the type. */
    default CodeBlock writer(int depth) {
        String out = parameter("to", depth);
        String value = parameter("each", depth);
        return CodeBlock.of("($L, $L) -> $L", out, value, encode(out, CodeBlock.of("$L", value), depth + 1));
    }

    /** An expression for an {@code XdrCodec.Reader} of the type. */
    default CodeBlock reader(int depth) {
        String in = parameter("from", depth);
        return CodeBlock.of("$L -> $L", in, decode(in, depth + 1));
    }

    /** An expression for the value as a record keeps it, which throws if a bound is exceeded. Called only for types that are bounded or copied. */
    CodeBlock checked(CodeBlock value, String field, int depth);

    /** The statements that check a component in a record's constructor, each without its semicolon. */
    default CodeBlock check(String component, String field) {
        CodeBlock checked = checked(CodeBlock.of("$L", component), field, 0);
        return model().isCopied()
                ? CodeBlock.builder()
                        .addStatement("$L = $L", component, checked)
                        .build()
                : CodeBlock.builder().addStatement("$L", checked).build();
    }

    /** An expression that rejects null with an exception that names the field. */
    static CodeBlock required(CodeBlock value, String field) {
        return CodeBlock.of("$T.requireNonNull($L, $S)", Objects.class, value, field);
    }

    /**
     * The name of a lambda's parameter, different at each depth of nesting and from every variable around it.
     *
     * @param base {@code each}, {@code from} or {@code to}; no variable around it has this name
     */
    static String parameter(String base, int depth) {
        return depth == 0 ? base : base + (depth + 1);
    }
}
