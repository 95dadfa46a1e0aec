// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.syntax;

import java.util.List;
import java.util.Optional;
import org.emplace.compiler.source.Span;

/** A clause of an Upper Layer Binding, as written. */
public sealed interface Clause {

    /** How it is written. */
    Written written();

    /** Where it stands. */
    default Span span() {
        return written().span();
    }

    /** The word that it begins with. */
    default String keyword() {
        return written().keyword();
    }

    /** The word that a clause begins with, and where the clause stands. */
    record Written(String keyword, Span span) {}

    /** {@code eligible}, {@code eligible as argument}, {@code eligible as result}. */
    record Eligible(boolean asArgument, boolean asResult, Written written) implements Clause {}

    /** {@code size EXPRESSION}, {@code size EXPRESSION when CONDITION}. */
    record Size(Expression expression, Optional<Condition> condition, Written written) implements Clause {}

    /** {@code reply-size EXPRESSION}. */
    record ReplySize(Expression expression, Written written) implements Clause {}

    /** A clause with one number. */
    record Numeric(Kind kind, Value.Literal value, Written written) implements Clause {

        /** Which one. */
        public enum Kind {
            READ_CHUNKS,
            WRITE_CHUNKS,
            PORT,
            INLINE_THRESHOLD
        }
    }

    /** {@code write-list in-order}: whoever gives destinations knows that a result that is absent takes none. */
    record WriteListInOrder(Written written) implements Clause {}

    /** {@code operations PATH, PATH, success NAME}: the results match the arguments by index, up to the first that is no success. */
    record Operations(List<Step> arguments, List<Step> results, Name success, Written written) implements Clause {}

    /** {@code idempotent}: to do the call twice is as good as once, so a server need not remember its reply. */
    record Idempotent(Written written) implements Clause {}

    /** {@code port dynamic}: rpcbind tells. */
    record DynamicPort(Written written) implements Clause {}

    /** {@code netid NAME, ...}. */
    record Netids(List<Name> names, Written written) implements Clause {}

    /** {@code violation garbage-args} or {@code violation err-chunk}. */
    record Violation(boolean errChunk, Written written) implements Clause {}

    /** {@code direction backward}. */
    record Backward(Written written) implements Clause {}

    /** {@code name IDENTIFIER}. */
    record JavaName(Name name, Written written) implements Clause {}

    /** {@code prefix IDENTIFIER}: what the names of a version's procedures or of an enum's values begin with, and their Java names do not. */
    record Prefix(Name name, Written written) implements Clause {}

    /** {@code open}: an enum may have values that its definition does not name. */
    record Open(Written written) implements Clause {}

    /**
     * {@code value}, {@code value text}: a typedef is a type of its own.
     *
     * @param isText whether it is an {@code opaque} that holds text in UTF-8
     */
    record AsValue(boolean isText, Written written) implements Clause {}

    /**
     * {@code bits}, {@code bits IDENTIFIER}: a typedef of an array of words is a set of bits.
     *
     * @param names the enum that has names for the bits
     */
    record Bits(Optional<Name> names, Written written) implements Clause {}

    /** {@code when PATH = VALUE}: for those elements of an argument's array whose discriminant has this value. */
    record Condition(List<Step> discriminant, Value value) {}

    /** A size: a number, a constant's name, {@code args} and member names, or that there is no bound; and something added to it. */
    record Expression(Base base, Optional<Value> plus, Span span) {}

    /** What a size begins with. */
    sealed interface Base {

        /** A number. */
        record Literal(Value.Literal number) implements Base {}

        /** A constant, or a way from {@code args} on. */
        record Path(List<Step> steps) implements Base {}

        /** {@code unbounded}: nothing is known, and that is meant. */
        record Unbounded() implements Base {}
    }

    /**
     * A name on the way to a size.
     *
     * @param indexed whether {@code [i]} follows: of the array that it names, the element with the result's index
     */
    record Step(Name name, boolean indexed) {}
}
