// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.util.ArrayList;
import java.util.List;
import org.emplace.tests.codegen.mapping.Encoding.Placed;
import org.emplace.tests.codegen.mapping.Node.Array;
import org.emplace.tests.codegen.mapping.Node.Item;
import org.emplace.tests.codegen.mapping.Node.Linked;
import org.emplace.tests.codegen.mapping.Node.Member;
import org.emplace.tests.codegen.mapping.Node.Option;
import org.emplace.tests.codegen.mapping.Node.Plain;
import org.emplace.tests.codegen.mapping.Node.Repetition;
import org.emplace.tests.codegen.mapping.Node.SizeArray;
import org.emplace.tests.codegen.mapping.Node.SizeField;
import org.emplace.tests.codegen.mapping.Node.Struct;
import org.emplace.tests.codegen.mapping.Node.Union;
import org.jspecify.annotations.Nullable;

/** Draws a value of the arguments or the results, and encodes it. An honest value keeps to the sizes of the binding. */
final class Values {
    /** The most bytes of an item without a bound. */
    private static final long LONGEST = 60_000;

    /** About the most bytes of all items, in most values. */
    private static final long TOTAL = 200_000;

    private static final long LARGE_TOTAL = 1_500_000;

    /** The most elements of an array, in most values, and always of one within another. */
    private static final int MOST_ELEMENTS = 5;

    /** The most elements of an array for which it has no sizes. More than the chunks for which a header has room. */
    private static final int MANY_ELEMENTS = 60;

    private final Sizes sizes;
    private final boolean honest;
    private final Encoding out = new Encoding();
    private final Elements elements = new Elements();
    private final List<Written> items = new ArrayList<>();
    private final Lengths lengths;
    private final int mostElements;
    private long left;
    private boolean optional;
    private boolean violates;
    private int failing = -1;

    /**
     * A drawn value.
     *
     * @param violates whether an item is larger than the binding says
     * @param failing the index of the operation that failed; -1 for none
     */
    record Value(Encoding encoding, Elements elements, boolean violates, int failing) {}

    private Values(Sizes sizes, boolean honest, Draws draws) {
        this.sizes = sizes;
        this.honest = honest;
        boolean isLarge = draws.at("large").oneIn(64);
        this.lengths = isLarge ? Lengths.LARGE : draws.at("longer").oneIn(4) ? Lengths.USUAL : Lengths.SHORT;
        this.left = isLarge ? LARGE_TOTAL : TOTAL;
        this.mostElements = draws.at("many").oneIn(16) ? MANY_ELEMENTS : MOST_ELEMENTS;
    }

    static Value arguments(Draft draft, Sizes sizes, Draws draws) {
        Values values = new Values(sizes, true, draws);
        values.members(draft.argumentsInOrder().toList(), draws, At.OUTSIDE);
        return values.value();
    }

    static Value results(Draft draft, Sizes sizes, Draws draws, boolean honest) {
        Values values = new Values(sizes, honest, draws);
        values.write(draft.results(), draws, At.OUTSIDE);
        return values.value();
    }

    /** An item that has been written, without the index of its element. */
    private record Written(Item item, At at, int offset, int length, long size) {}

    private Value value() {
        for (Written each : items) {
            out.add(new Placed(each.item(), each.at().index(elements), each.offset(), each.length(), each.size()));
        }
        return new Value(out, elements, violates, failing);
    }

    /**
     * The elements that a value is in.
     *
     * @param innermost the innermost array or list; null outside
     * @param in the indexes of the elements that it is in, the outermost first
     * @param last the index of the element in it
     */
    private record At(@Nullable Repetition innermost, List<Integer> in, int last) {
        static final At OUTSIDE = new At(null, List.of(), 0);

        /** The index in the outermost array or list; -1 outside. */
        int outermost() {
            return innermost == null ? -1 : in.isEmpty() ? last : in.get(0);
        }

        /** The indexes of the elements of all arrays and lists. */
        List<Integer> indexes() {
            if (innermost == null) {
                return List.of();
            }
            List<Integer> all = new ArrayList<>(in);
            all.add(last);
            return all;
        }

        At element(Repetition array, int index) {
            return new At(array, indexes(), index);
        }

        int index(Elements elements) {
            return innermost == null ? 0 : elements.index(innermost, in, last);
        }
    }

    private void members(List<Member> members, Draws draws, At at) {
        if (members.isEmpty()) {
            out.writeInt(0);
        }
        members.forEach(each -> write(each.node(), draws.at(each.name()), at));
    }

    private void write(Node node, Draws draws, At at) {
        if (node instanceof Plain plain) {
            plain(plain, draws);
        } else if (node instanceof Item item) {
            item(item, draws, at);
        } else if (node instanceof Struct struct) {
            members(struct.members(), draws, at);
        } else if (node instanceof Union union) {
            union(union, draws, at);
        } else if (node instanceof Option option) {
            option(option, draws, at);
        } else if (node instanceof Array array) {
            array(array, draws, at);
        } else if (node instanceof Linked list) {
            linked(list, draws, at);
        } else if (node instanceof SizeField field) {
            out.writeInt((int) sizes.field(field.index()));
        } else if (node instanceof SizeArray array) {
            sizeArray(array);
        } else if (node instanceof Node.Operations operations) {
            operations(operations, draws);
        } else if (node instanceof Node.Status) {
            out.writeInt(0);
        }
    }

    private void plain(Plain plain, Draws draws) {
        int drawn = draws.at("plain").below(100);
        switch (plain) {
            case INT -> out.writeInt(drawn);
            case HYPER -> out.writeLong(drawn);
            case BOOL -> out.writeInt(drawn % 2);
            case FIXED -> out.writeBytes(5, draws.bytes(), false);
            case COUNTED -> counted(drawn % 13, draws, false);
            case TEXT -> counted(drawn % 10, draws, true);
            case MAYBE -> {
                out.writeInt(drawn % 2);
                if (drawn % 2 == 1) {
                    out.writeInt(drawn);
                }
            }
            case BULK -> counted(draws.at("length").below(2401), draws, false);
            case NUMBERS -> {
                out.writeInt(drawn % 4);
                out.writeBytes(drawn % 4 * 4, draws.bytes(), false);
            }
        }
    }

    private void counted(int length, Draws draws, boolean asText) {
        out.writeInt(length);
        out.writeBytes(length, draws.bytes(), asText);
    }

    private void item(Item item, Draws draws, At at) {
        Content content = item.content();
        long size = size(item, at.outermost());
        long limit = size == Size.ABSENT ? 0 : size < 0 ? LONGEST : size;
        if (!honest) {
            limit = 2 * limit + 100;
        }
        limit = Math.min(limit, content.most() < 0 ? LONGEST : content.most());
        limit = Math.min(limit, Math.max(left, content.least()));
        int start = content.write(out, draws, limit, lengths);
        if (start < 0) {
            return;
        }
        int length = end(content, start);
        left -= length;
        violates |= size == Size.ABSENT ? length > 0 || optional : size >= 0 && length > size;
        items.add(new Written(item, at, start, length, size));
    }

    /** The bytes of an item that has just been written, without padding. */
    private int end(Content content, int start) {
        if (content instanceof Content.Bytes bytes) {
            return bytes.fixed() ? (int) bytes.bound() : out.intAt(start - 4);
        }
        return out.length() - start;
    }

    private long size(Item item, int outermost) {
        return item.size().of(sizes, item.content().most(), Math.max(0, outermost));
    }

    private void union(Union union, Draws draws, At at) {
        int drawn = draws.at("arm").below(union.arms().size());
        Union.Arm arm = union.arms().get(drawn);
        if (honest && !fits(arm, at.outermost())) {
            Union.Arm unfit = arm;
            arm = union.arms().stream()
                    .filter(each -> fits(each, at.outermost()))
                    .findFirst()
                    .orElse(unfit);
        }
        out.writeInt(arm.value());
        skipOthers(union, arm, at);
        arm.content().ifPresent(content -> writeOptional(content.node(), draws.at("content"), at));
    }

    private void skipOthers(Union union, Union.Arm chosen, At at) {
        union.arms().stream()
                .filter(each -> !each.equals(chosen))
                .forEach(each -> each.content().ifPresent(content -> skip(content.node(), at)));
    }

    /** Counts the elements of fixed arrays in what is absent: there are destinations for them too. */
    private void skip(Node node, At at) {
        if (node instanceof Struct struct) {
            struct.members().forEach(each -> skip(each.node(), at));
        } else if (node instanceof Union union) {
            union.arms().forEach(each -> each.content().ifPresent(content -> skip(content.node(), at)));
        } else if (node instanceof Option option) {
            skip(option.element(), at);
        } else if (node instanceof Array array && array.isFixed()) {
            elements.add(array, at.indexes(), array.bound());
            for (int i = 0; i < array.bound(); i++) {
                skip(array.element(), at.element(array, i));
            }
        }
    }

    private void option(Option option, Draws draws, At at) {
        boolean present = draws.at("present").below(3) > 0 && (!honest || fits(option.element(), at.outermost()));
        out.writeInt(present ? 1 : 0);
        if (present) {
            writeOptional(option.element(), draws.at("content"), at);
        } else {
            skip(option.element(), at);
        }
    }

    private void array(Array array, Draws draws, At at) {
        int count = array.isFixed() ? array.bound() : count(array.element(), array.bound(), draws, at);
        if (!array.isFixed()) {
            out.writeInt(count);
        }
        elements.add(array, at.indexes(), count);
        for (int i = 0; i < count; i++) {
            At element = at.element(array, i);
            if (array.isFixed() || at.outermost() < 0) {
                write(array.element(), draws.at("element").at(i), element);
            } else {
                writeOptional(array.element(), draws.at("element").at(i), element);
            }
        }
    }

    /** Writes what an element of the outermost array could be without. */
    private void writeOptional(Node node, Draws draws, At at) {
        boolean before = optional;
        optional = at.outermost() >= 0;
        write(node, draws, at);
        optional = before;
    }

    /** Draws the number of elements. An outermost array has no more than those for which there are sizes. */
    private int count(Node element, int bound, Draws draws, At at) {
        long room = Math.max(MOST_ELEMENTS, left / Math.max(1, Items.least(element)));
        long most = Math.min(room, at.outermost() < 0 ? mostElements : MOST_ELEMENTS);
        int count = draws.at("count").below((int) (bound < 0 ? most : Math.min(bound, most)) + 1);
        for (int i = 0; honest && i < count; i++) {
            if (!fits(element, at.outermost() < 0 ? i : at.outermost())) {
                return i;
            }
        }
        return count;
    }

    private void linked(Linked list, Draws draws, At at) {
        Struct element = new Struct("", list.before());
        Struct rest = new Struct("", list.after());
        int count = Math.min(count(element, -1, draws.at("before"), at), count(rest, -1, draws.at("before"), at));
        if (list.isNeverEmpty()) {
            count = Math.max(1, count);
        } else {
            out.writeInt(Math.min(1, count));
        }
        elements.add(list, at.indexes(), count);
        for (int i = 0; i < count; i++) {
            Draws each = draws.at("element").at(i);
            At in = at.element(list, i);
            list.before().forEach(member -> write(member.node(), each.at(member.name()), in));
            out.writeInt(i < count - 1 ? 1 : 0);
        }
        for (int i = count - 1; i >= 0; i--) {
            Draws each = draws.at("element").at(i);
            At in = at.element(list, i);
            list.after().forEach(member -> write(member.node(), each.at(member.name()), in));
        }
    }

    private void sizeArray(SizeArray array) {
        int count = sizes.count(array);
        out.writeInt(count);
        for (int i = 0; i < count; i++) {
            int arm = sizes.arm(array, i);
            if (array.arms() > 0) {
                out.writeInt(arm);
            }
            for (int number = 0; number < Sizes.NUMBERS; number++) {
                out.writeInt((int) sizes.element(array, i, arm, number));
            }
        }
    }

    /** The results of all operations, or of those up to one that fails. */
    private void operations(Node.Operations operations, Draws draws) {
        int count = sizes.count(operations.array());
        int drawn = draws.at("failing").below(8);
        boolean fails = drawn < count && draws.at("fails").oneIn(3);
        int returned = fails ? drawn + 1 : count;
        failing = fails ? drawn : -1;
        out.writeInt(returned);
        elements.add(operations.results(), List.of(), returned);
        Union union = (Union) operations.results().element();
        for (int i = 0; i < returned; i++) {
            Union.Arm arm = union.arms().get(sizes.arm(operations.array(), i));
            out.writeInt(arm.value());
            skipOthers(union, arm, At.OUTSIDE.element(operations.results(), i));
            Node answer = arm.content().orElseThrow().node();
            boolean failed = fails && i == returned - 1;
            int status = out.length();
            if (failed && answer instanceof Union) {
                out.writeInt(1);
            } else if (answer instanceof Union outcome) {
                out.writeInt(0);
                write(
                        outcome.arms().get(0).content().orElseThrow().node(),
                        draws.at("element").at(i),
                        At.OUTSIDE.element(operations.results(), i));
            } else {
                write(answer, draws.at("element").at(i), At.OUTSIDE.element(operations.results(), i));
                out.setInt(status, failed ? 1 : 0);
            }
        }
    }

    /** Whether a value can be honest at an index of the outermost array. */
    private boolean fits(Node node, int outermost) {
        if (node instanceof Item item) {
            long size = size(item, outermost);
            return item.content().mayBeAbsent()
                    || (size != Size.ABSENT
                            && (size < 0 || size >= item.content().least()));
        } else if (node instanceof Struct struct) {
            return struct.members().stream().allMatch(each -> fits(each.node(), outermost));
        } else if (node instanceof Union union) {
            return union.arms().stream().anyMatch(arm -> fits(arm, outermost));
        } else if (node instanceof Array array) {
            return !array.isFixed() || fits(array.element(), outermost);
        } else if (node instanceof Linked list) {
            return !list.isNeverEmpty()
                    || (fits(new Struct("", list.before()), outermost)
                            && fits(new Struct("", list.after()), outermost));
        }
        return true;
    }

    private boolean fits(Union.Arm arm, int outermost) {
        return arm.content().map(each -> fits(each.node(), outermost)).orElse(true);
    }
}
