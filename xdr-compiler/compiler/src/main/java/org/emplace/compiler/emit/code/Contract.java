// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit.code;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.emplace.compiler.javamodel.Component;
import org.emplace.compiler.javamodel.JavaType;
import org.emplace.compiler.model.XdrType.Primitive;

/**
 * Describes in Javadoc what the Java type of a value does not express: bounds, signs, and whether it is DDP-eligible. Empty if there is nothing to
 * add.
 */
public final class Contract {
    private static final String UNSIGNED_INT = "an unsigned 32-bit integer";
    private static final String UNSIGNED_HYPER = "an unsigned 64-bit integer: 2<sup>63</sup> and above are negative";
    private static final String ELIGIBLE = "DDP-eligible";

    private Contract() {}

    public static String of(JavaType type) {
        if (type instanceof JavaType.Scalar scalar) {
            return number(scalar.primitive());
        } else if (type instanceof JavaType.Bytes bytes) {
            return bytes(bytes);
        } else if (type instanceof JavaType.Numbers numbers) {
            return elements(numbers, number(numbers.element()));
        } else if (type instanceof JavaType.Bits bits) {
            return size(bits.fixed(), bits.size(), "word");
        } else if (type instanceof JavaType.Array array) {
            return elements(array, of(array.element()));
        } else if (type instanceof JavaType.LinkedList list) {
            return list.isNonEmpty() ? "at least one element" : "";
        } else if (type instanceof JavaType.OptionalData optional) {
            return of(optional.element());
        } else if (type instanceof JavaType.ChunkItem chunk) {
            return joined(ELIGIBLE, of(chunk.item()));
        }
        return "";
    }

    /** The text of a component's parameter tag: the comment in the source, and the contract. */
    public static String description(Component component) {
        String comment = Javadoc.inLine(component.field().documentation());
        String contract = of(component.type());
        if (comment.isEmpty() || contract.isEmpty()) {
            return comment + contract;
        }
        return comment.endsWith(".")
                ? comment.substring(0, comment.length() - 1) + " (" + contract + ")."
                : comment + " (" + contract + ")";
    }

    private static String bytes(JavaType.Bytes type) {
        String unit = type.elementSize() == 1 ? "byte" : type.elementSize() + "-byte element";
        return switch (type.kind()) {
            case OPAQUE, STRING -> size(false, type.size(), unit);
            case FIXED_OPAQUE -> size(true, type.size(), unit);
            case PAYLOAD -> joined(ELIGIBLE, size(false, type.size(), unit));
            case FIXED_PAYLOAD -> joined(ELIGIBLE, size(true, type.size(), unit));
        };
    }

    private static String number(Primitive primitive) {
        return switch (primitive) {
            case UNSIGNED_INT -> UNSIGNED_INT;
            case UNSIGNED_HYPER -> UNSIGNED_HYPER;
            default -> "";
        };
    }

    private static String elements(JavaType.Counted type, String each) {
        return joined(
                size(type.fixed(), type.size(), "element"), each.isEmpty() || type.size() == 1 ? each : "each " + each);
    }

    private static String size(boolean isFixed, long size, String unit) {
        if (!isFixed && Literals.isUnbounded(size)) {
            return "";
        }
        return (isFixed ? "exactly " : "at most ") + size + " " + unit + (size == 1 ? "" : "s");
    }

    private static String joined(String... parts) {
        return Stream.of(parts).filter(each -> !each.isEmpty()).collect(Collectors.joining(", "));
    }
}
