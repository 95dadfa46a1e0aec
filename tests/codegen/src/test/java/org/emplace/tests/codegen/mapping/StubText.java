// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.emplace.tests.codegen.mapping.Items.Found;
import org.emplace.tests.codegen.mapping.Node.SizeArray;

/**
 * Writes a class that calls a drawn procedure as a program does: by the methods of the generated client, with the
 * destinations under the names that docs/generated-code.md gives them. So javac checks these names.
 */
final class StubText {
    private static final String CLIENT = "Map1Client.on(connection).with(options)";

    private static final Pattern BETWEEN_NAMES = Pattern.compile("[.\\[\\]]+");

    private final Draft draft;
    private final List<Found> payloads;

    StubText(Draft draft) {
        this.draft = draft;
        this.payloads = draft.payloads();
    }

    /** The source of a class with this name, which is in the package of the generated classes. */
    String text(String className) {
        int simple = className.lastIndexOf('.') + 1;
        return """
                package %s;
                import java.util.List;
                import org.emplace.rpc.CallOptions;
                import org.emplace.rpc.OperationResult;
                import org.emplace.rpc.RpcCall;
                import org.emplace.rpc.RpcConnection;
                import org.emplace.tests.codegen.mapping.Named;
                import org.emplace.tests.codegen.mapping.Stub;
                public final class %s implements Stub {
                %s%s}
                """.formatted(
                        className.substring(0, simple - 1),
                        className.substring(simple),
                        call(),
                        draft.operations().map(each -> operations(each.array())).orElse(""));
    }

    private String call() {
        return """
                    @Override
                    public RpcCall<?> call(
                            RpcConnection connection, Object arguments, Named named, CallOptions options) {
                        %s args = (%1$s) arguments;
                        return %s.callAsync(%s);
                    }
                """.formatted(draft.several() ? "Map1.CallArgs" : "Arg", CLIENT, joined(arguments(), destinations()));
    }

    private static String joined(Stream<String> first, Stream<String> then) {
        return Stream.concat(first, then).collect(Collectors.joining(", "));
    }

    private Stream<String> arguments() {
        return draft.several()
                ? Stream.concat(draft.fields().stream().map(Node.SizeField::name), Stream.of("rest"))
                        .map(name -> "args." + name + "()")
                : Stream.of("args");
    }

    /** Parameters, or a record if there are several lists. */
    private Stream<String> destinations() {
        List<String> all = IntStream.range(0, payloads.size())
                .mapToObj(item -> "named." + (isList(payloads.get(item)) ? "list" : "one") + "(" + item + ")")
                .toList();
        if (payloads.stream().filter(StubText::isList).count() <= 1) {
            return all.stream();
        }
        return Stream.of(IntStream.range(0, payloads.size())
                .mapToObj(item -> ".with" + name(payloads.get(item)) + "(" + all.get(item) + ")")
                .collect(Collectors.joining("", "Map1.CallDestinations.anywhere()", "")));
    }

    private static boolean isList(Found item) {
        return !item.inside().isEmpty();
    }

    /** The name of the member; if several items have that name, those of all members that lead to it. */
    private String name(Found item) {
        boolean isOnly = payloads.stream()
                        .filter(each -> member(each).equals(member(item)))
                        .count()
                == 1;
        return names(isOnly ? member(item) : item.path()).map(StubText::capital).collect(Collectors.joining());
    }

    private static String member(Found item) {
        return item.path().substring(item.path().lastIndexOf('.') + 1);
    }

    private static Stream<String> names(String path) {
        return BETWEEN_NAMES.splitAsStream(path);
    }

    private static String capital(String word) {
        return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }

    /** Builds the call that the arguments are. */
    private String operations(SizeArray array) {
        String others = draft.argumentsInOrder()
                .filter(each -> each.node() != array)
                .map(each -> "args." + each.name() + "()")
                .collect(Collectors.joining(", "));
        String cases = IntStream.range(0, array.arms())
                .mapToObj(arm -> operation(array, arm))
                .collect(Collectors.joining(" else "));
        return """
                    @Override
                    public RpcCall<?> operations(
                            RpcConnection connection,
                            Object arguments,
                            Named named,
                            CallOptions options,
                            List<OperationResult<?>> results) {
                        Arg args = (Arg) arguments;
                        Map1CallCall call = %s.call(%s);
                        for (int i = 0; i < args.%s().size(); i++) {
                            Size%d each = args.%3$s().get(i);
                            %s
                        }
                        return call.start();
                    }
                """.formatted(CLIENT, others, array.name(), array.index(), cases);
    }

    private String operation(SizeArray array, int arm) {
        String numbers = IntStream.range(0, Sizes.NUMBERS)
                .mapToObj(number -> ", op.a" + arm + "().l" + number + "()")
                .collect(Collectors.joining());
        String destinations = IntStream.range(0, payloads.size())
                .filter(item -> isOf(payloads.get(item), arm))
                .mapToObj(item -> ", named.one(" + item + ", i)")
                .collect(Collectors.joining());
        return "if (each instanceof Size%d.Op%d op) { results.add(call.op%2$d(%s)); }"
                .formatted(array.index(), arm, (numbers + destinations).substring(2));
    }

    private static boolean isOf(Found item, int arm) {
        return names(item.path()).toList().get(1).equals("a" + arm);
    }
}
