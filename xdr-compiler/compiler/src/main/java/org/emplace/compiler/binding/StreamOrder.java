// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.emplace.compiler.model.XdrType;

/**
 * The eligible items of a procedure's arguments or results, in the order of the XDR stream. The n-th item that is present in a message takes the n-th
 * chunk, so this order tells which items a chunk may carry. Types without such items are left out.
 *
 * @param <I> an item
 */
public sealed interface StreamOrder<I> {

    /** A number of items for which there is no bound. */
    long UNLIMITED = Long.MAX_VALUE;

    /**
     * An eligible item, of which one chunk holds the content.
     *
     * @param inside the items within it; not empty only where a binding has errors, and among {@link DataItems}
     */
    record Item<I>(I item, StreamOrder<I> inside) implements StreamOrder<I> {}

    /** The members of a struct, or the arguments of a procedure, one after the other. */
    record Sequence<I>(List<Member<I>> members) implements StreamOrder<I> {}

    /**
     * A union, of which one arm is present.
     *
     * @param discriminant its XDR name
     * @param arms all arms, also those without items
     */
    record Choice<I>(String discriminant, List<Arm<I>> arms) implements StreamOrder<I> {}

    /** Optional-data. */
    record Option<I>(StreamOrder<I> content) implements StreamOrder<I> {}

    /** The elements of an array, or of a linked list of which no item follows the link. */
    record Repetition<I>(Count count, StreamOrder<I> element) implements StreamOrder<I> {}

    /**
     * A linked list with items behind the link. The stream has the members before the link for each element, in order, and then the members behind it,
     * from the last element to the first.
     */
    record Linked<I>(StreamOrder<I> before, StreamOrder<I> after) implements StreamOrder<I> {}

    /** A member of a struct, what an arm of a union holds, or an argument, by its XDR name. */
    record Member<I>(String name, StreamOrder<I> order) {}

    /**
     * An arm of a union.
     *
     * @param labels the values that select it, as in the source; empty for the default arm
     */
    record Arm<I>(List<String> labels, Member<I> held) {

        /** Whether it is the default arm. */
        boolean isDefault() {
            return labels.isEmpty();
        }
    }

    /** The smallest and the largest number of elements. */
    record Count(long least, long most) {

        /** Any number of elements, but not none: those of the struct that a linked list consists of. */
        static final Count OF_LIST = new Count(1, UNLIMITED);

        static Count of(XdrType.Array array) {
            if (array instanceof XdrType.FixedArray fixed) {
                return new Count(fixed.size(), fixed.size());
            }
            long max = ((XdrType.VariableArray) array).max();
            return new Count(0, max == XdrType.UNBOUNDED ? UNLIMITED : max);
        }

        /** Whether every message has the same number of elements. */
        public boolean isFixed() {
            return least == most;
        }

        /** Whether there is a largest number. */
        public boolean isBounded() {
            return most != UNLIMITED;
        }
    }

    /** No items. */
    static <I> StreamOrder<I> none() {
        return new Sequence<>(List.of());
    }

    /** Whether there are no items. */
    default boolean isEmpty() {
        return this instanceof Sequence<I> sequence && sequence.members().isEmpty();
    }

    /** The parts of which this is composed, in stream order. */
    default List<StreamOrder<I>> parts() {
        if (this instanceof Item<I> item) {
            return item.inside().isEmpty() ? List.of() : List.of(item.inside());
        } else if (this instanceof Option<I> option) {
            return List.of(option.content());
        } else if (this instanceof Repetition<I> repetition) {
            return List.of(repetition.element());
        } else if (this instanceof Linked<I> linked) {
            return List.of(linked.before(), linked.after());
        }
        return members().stream().map(Member::order).toList();
    }

    /** The members of a struct or of a list's elements, the arms of a union, or the arguments; none for other parts. */
    default List<Member<I>> members() {
        if (this instanceof Choice<I> choice) {
            return choice.arms().stream().map(Arm::held).toList();
        } else if (this instanceof Repetition<I> || this instanceof Linked<I>) {
            return parts().stream().flatMap(part -> part.members().stream()).toList();
        }
        return List.of();
    }

    /** What optional-data holds, or an element of an array. */
    default StreamOrder<I> content() {
        return parts().stream().findFirst().orElse(none());
    }

    /** The items of a member, an arm or an argument. */
    default StreamOrder<I> member(String name) {
        return members().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .map(Member::order)
                .orElse(none());
    }

    /** All items, each once however many elements of an array have it. */
    default List<I> items() {
        List<I> items = new ArrayList<>();
        if (this instanceof Item<I> item) {
            items.add(item.item());
        }
        parts().forEach(part -> items.addAll(part.items()));
        return List.copyOf(items);
    }

    /** The smallest number of items in a message. */
    default long least() {
        if (this instanceof Item<I>) {
            return 1;
        } else if (this instanceof Option<I>) {
            return 0;
        } else if (this instanceof Choice<I>) {
            return parts().stream().mapToLong(StreamOrder::least).min().orElse(0);
        } else if (this instanceof Repetition<I> repetition) {
            return times(repetition.count().least(), repetition.element().least());
        }
        return parts().stream().mapToLong(StreamOrder::least).reduce(0, StreamOrder::plus);
    }

    /** The largest number of items in a message. */
    default long most() {
        if (this instanceof Item<I>) {
            return 1;
        } else if (this instanceof Choice<I>) {
            return parts().stream().mapToLong(StreamOrder::most).max().orElse(0);
        } else if (this instanceof Repetition<I> repetition) {
            return times(repetition.count().most(), repetition.element().most());
        } else if (this instanceof Linked<I>) {
            return UNLIMITED;
        }
        return parts().stream().mapToLong(StreamOrder::most).reduce(0, StreamOrder::plus);
    }

    /** Whether all messages have the same number of items. */
    default boolean isFixed() {
        return least() == most();
    }

    /** The same order of other items. An item for which the function returns nothing is left out, but not those inside it. */
    default <J> StreamOrder<J> map(Function<I, Optional<J>> function) {
        if (this instanceof Item<I> item) {
            StreamOrder<J> inside = item.inside().map(function);
            return function.apply(item.item())
                    .<StreamOrder<J>>map(mapped -> new Item<>(mapped, inside))
                    .orElse(inside);
        } else if (this instanceof Option<I> option) {
            StreamOrder<J> content = option.content().map(function);
            return content.isEmpty() ? none() : new Option<>(content);
        } else if (this instanceof Repetition<I> repetition) {
            StreamOrder<J> element = repetition.element().map(function);
            return element.isEmpty() ? none() : new Repetition<>(repetition.count(), element);
        } else if (this instanceof Linked<I> linked) {
            return list(linked.before().map(function), linked.after().map(function));
        } else if (this instanceof Choice<I> choice) {
            return choice(
                    choice.discriminant(),
                    choice.arms().stream()
                            .map(arm -> new Arm<>(arm.labels(), map(arm.held(), function)))
                            .toList());
        }
        return sequence(members().stream().map(each -> map(each, function)).toList());
    }

    private static <I, J> Member<J> map(Member<I> member, Function<I, Optional<J>> function) {
        return new Member<>(member.name(), member.order().map(function));
    }

    /** The members that have items. */
    static <I> StreamOrder<I> sequence(List<Member<I>> members) {
        return new Sequence<>(
                members.stream().filter(each -> !each.order().isEmpty()).toList());
    }

    /** The arms of a union, if one of them has items. */
    static <I> StreamOrder<I> choice(String discriminant, List<Arm<I>> arms) {
        return arms.stream().allMatch(arm -> arm.held().order().isEmpty()) ? none() : new Choice<>(discriminant, arms);
    }

    /** The elements of a linked list, by the members before its link and behind it. */
    static <I> StreamOrder<I> list(StreamOrder<I> before, StreamOrder<I> after) {
        if (!after.isEmpty()) {
            return new Linked<>(before, after);
        }
        return before.isEmpty() ? none() : new Repetition<>(Count.OF_LIST, before);
    }

    /** The sum of two numbers of items. */
    static long plus(long a, long b) {
        return a > UNLIMITED - b ? UNLIMITED : a + b;
    }

    private static long times(long count, long each) {
        if (count == 0 || each == 0) {
            return 0;
        }
        return count > UNLIMITED / each ? UNLIMITED : count * each;
    }
}
