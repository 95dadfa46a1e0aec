// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.emplace.tests.codegen.mapping.Node.Member;
import org.emplace.tests.codegen.mapping.Node.SizeArray;
import org.emplace.tests.codegen.mapping.Node.SizeField;

/**
 * A drawn protocol with one procedure.
 *
 * @param seed of the numbers that it was drawn from
 * @param fields the sizes in the arguments, which precede the members
 * @param sizeArrays the arrays of sizes in the arguments, which follow the fields, by their indexes
 * @param arguments the members of the arguments' struct; some are the fields and arrays
 * @param several whether the fields are arguments of their own before the struct
 * @param results the result
 * @param resultItems the eligible items in it
 * @param replySize the clause; {@link Size.None} for none
 * @param clauses other clauses of the procedure
 * @param fetches whether the server fetches the arguments itself
 */
record Draft(
        long seed,
        List<SizeField> fields,
        List<SizeArray> sizeArrays,
        List<Member> arguments,
        boolean several,
        Node results,
        List<Items.Found> resultItems,
        Size replySize,
        List<String> clauses,
        boolean fetches) {

    static final long FIRST_PROGRAM = 0x20000000L;
    private static final long PROGRAMS = 1 << 28;
    static final String WRITE_CHUNKS = "write-chunks ";

    /** The number of the program. */
    long program() {
        return FIRST_PROGRAM + Math.floorMod(seed, PROGRAMS);
    }

    String pathOf(SizeField field) {
        return "args." + field.name();
    }

    String pathOf(SizeArray array) {
        return (several ? "args.rest." : "args.") + array.name();
    }

    /** The eligible items of the results for which a caller names destinations. */
    List<Items.Found> payloads() {
        return resultItems.stream().filter(Items.Found::isPayload).toList();
    }

    /** The number of Write chunks that a clause states. */
    OptionalInt writeChunks() {
        return clauses.stream()
                .filter(each -> each.startsWith(WRITE_CHUNKS))
                .mapToInt(each -> Integer.parseInt(each.substring(WRITE_CHUNKS.length())))
                .findFirst();
    }

    /** The operations, if calls are lists of operations. */
    Optional<Node.Operations> operations() {
        return results instanceof Node.Struct struct
                ? struct.members().stream()
                        .map(Member::node)
                        .filter(Node.Operations.class::isInstance)
                        .map(Node.Operations.class::cast)
                        .findFirst()
                : Optional.empty();
    }

    /** The members of the arguments in the order of the stream. */
    Stream<Member> argumentsInOrder() {
        Stream<Member> first = several ? fields.stream().map(field -> new Member(field.name(), field)) : Stream.empty();
        return Stream.concat(first, arguments.stream());
    }

    /**
     * The text of the XDR file with a type in both the arguments and the results of which an item is eligible in one of
     * them.
     *
     * @param only {@code argument} or {@code result}
     */
    String textWithShared(String only) {
        Node.Item item = new Node.Item(new Content.Bytes(false, false, 5000, ""), new Size.None());
        Member shared = new Member("shared", new Node.Struct("both", List.of(new Member("item", item))));
        Node.Struct result = (Node.Struct) results;
        Draft both = new Draft(
                seed,
                fields,
                sizeArrays,
                with(arguments, shared),
                several,
                new Node.Struct(result.name(), with(result.members(), shared)),
                resultItems,
                replySize,
                clauses,
                fetches);
        return both.text().replace("eligible */ opaque item<5000>", "eligible as " + only + " */ opaque item<5000>");
    }

    private static List<Member> with(List<Member> members, Member last) {
        return Stream.concat(members.stream(), Stream.of(last)).toList();
    }

    /** The text of the XDR file. */
    String text() {
        XdrText xdr = new XdrText(this);
        String result = xdr.typeOf(results);
        String parameters = Stream.concat(
                        several ? fields.stream().map(each -> "unsigned int " + each.name()) : Stream.empty(),
                        Stream.of(xdr.struct("arg", arguments) + (several ? " rest" : "")))
                .collect(Collectors.joining(", "));
        String size = replySize.clause(this).replaceFirst("^; size", "reply-size");
        String clause = Stream.concat(clauses.stream(), Stream.of(size))
                .filter(each -> !each.isEmpty())
                .collect(Collectors.joining("; "));
        return String.join("\n", xdr.definitions())
                + "\nprogram MAP_PROGRAM {\n    /*@ddp port 20555 */\n    version MAP_V1 {\n"
                + (clause.isEmpty() ? "" : "        /*@ddp " + clause + " */\n")
                + "        " + result + " MAP_CALL(" + parameters + ") = 1;\n    } = 1;\n} = " + program() + ";\n";
    }
}
