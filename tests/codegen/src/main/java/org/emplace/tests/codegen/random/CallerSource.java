// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.random;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Generates the source of a class that uses the entire API of some classes: it calls every method, reads every field, implements every interface, and
 * converts each class to its supertypes. Each use is a method without parameters. Such a method may fail with anything but a {@link LinkageError}.
 */
public final class CallerSource {
    /** The name of the generated class. */
    public static final String NAME = "Caller";

    private final List<String> uses = new ArrayList<>();

    private CallerSource() {}

    /** The source of a caller of these classes and their member classes. */
    public static String of(List<Class<?>> classes) {
        CallerSource source = new CallerSource();
        classes.stream().sorted(Comparator.comparing(Class::getName)).forEach(source::add);
        return "final class " + NAME + " {\n    static <T> T any() { return null; }\n\n" + String.join("", source.uses)
                + "}\n";
    }

    private void add(Class<?> type) {
        if (!Modifier.isPublic(type.getModifiers())) {
            return;
        }
        String self = text(type);
        Stream.concat(Stream.of(type), Arrays.stream(type.getGenericInterfaces()))
                .forEach(each -> use(text(each) + " value = " + any(self) + ";"));
        for (Field field : type.getDeclaredFields()) {
            if (isUsable(field.getModifiers()) && !field.isSynthetic()) {
                use(text(field.getGenericType()) + " value = " + type.getCanonicalName() + "." + field.getName() + ";");
            }
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (isUsable(constructor.getModifiers())) {
                use("new " + type.getCanonicalName() + "(" + arguments(constructor) + ");");
            }
        }
        for (Method method : methods(type)) {
            String on = Modifier.isStatic(method.getModifiers()) ? type.getCanonicalName() : any(self);
            String result =
                    method.getReturnType() == void.class ? "" : text(method.getGenericReturnType()) + " value = ";
            use(result + on + "." + method.getName() + "(" + arguments(method) + ");");
        }
        if (type.isEnum()) {
            String cases = Arrays.stream(type.getEnumConstants())
                    .map(each -> "case " + ((Enum<?>) each).name() + ": break; ")
                    .collect(Collectors.joining());
            use("switch (" + any(self) + ") { " + cases + "default: break; }");
        }
        if (type.isInterface() && !type.isSealed()) {
            use("new " + self + "() {\n"
                    + methods(type).stream().map(CallerSource::implemented).collect(Collectors.joining())
                    + "        };");
        }
        Arrays.stream(type.getDeclaredClasses())
                .sorted(Comparator.comparing(Class::getName))
                .forEach(this::add);
    }

    private void use(String statement) {
        uses.add("    static void use" + uses.size() + "() throws Throwable {\n        " + statement + "\n    }\n\n");
    }

    private static List<Method> methods(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(each -> isUsable(each.getModifiers()) && !each.isSynthetic())
                .sorted(Comparator.comparing(Method::toGenericString))
                .toList();
    }

    private static String implemented(Method method) {
        if (Modifier.isStatic(method.getModifiers())) {
            return "";
        }
        List<String> parameters = new ArrayList<>();
        for (Type each : method.getGenericParameterTypes()) {
            parameters.add(text(each) + " p" + parameters.size());
        }
        return "            @Override public " + text(method.getGenericReturnType()) + " " + method.getName() + "("
                + String.join(", ", parameters) + ") { throw new IllegalStateException(); }\n";
    }

    private static boolean isUsable(int modifiers) {
        return Modifier.isPublic(modifiers);
    }

    private static String arguments(Executable executable) {
        return Arrays.stream(executable.getGenericParameterTypes())
                .map(each -> each instanceof Class<?> type && type.isPrimitive() ? zero(type) : any(text(each)))
                .collect(Collectors.joining(", "));
    }

    private static String zero(Class<?> primitive) {
        if (primitive == boolean.class) {
            return "false";
        }
        return primitive == int.class ? "0" : "0" + primitive.getName().charAt(0);
    }

    private static String any(String type) {
        return NAME + ".<" + type + ">any()";
    }

    /** A type as source text, with Object in place of type variables. */
    private static String text(Type type) {
        if (type instanceof Class<?> plain) {
            return plain.getCanonicalName()
                    + (plain.getTypeParameters().length == 0 ? "" : texts(plain.getTypeParameters(), "<", ">"));
        } else if (type instanceof ParameterizedType parameterized) {
            return ((Class<?>) parameterized.getRawType()).getCanonicalName()
                    + texts(parameterized.getActualTypeArguments(), "<", ">");
        } else if (type instanceof WildcardType wildcard) {
            return wildcard.getLowerBounds().length > 0
                    ? "? super " + text(wildcard.getLowerBounds()[0])
                    : "? extends " + text(wildcard.getUpperBounds()[0]);
        } else if (type instanceof TypeVariable<?>) {
            return "Object";
        }
        throw new IllegalArgumentException("no generated class has a " + type);
    }

    private static String texts(Type[] types, String open, String close) {
        return Arrays.stream(types).map(CallerSource::text).collect(Collectors.joining(", ", open, close));
    }
}
