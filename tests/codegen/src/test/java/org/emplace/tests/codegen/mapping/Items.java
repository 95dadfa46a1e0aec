// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.util.ArrayList;
import java.util.List;
import org.emplace.tests.codegen.mapping.Node.Array;
import org.emplace.tests.codegen.mapping.Node.Item;
import org.emplace.tests.codegen.mapping.Node.Linked;
import org.emplace.tests.codegen.mapping.Node.Member;
import org.emplace.tests.codegen.mapping.Node.Option;
import org.emplace.tests.codegen.mapping.Node.Repetition;
import org.emplace.tests.codegen.mapping.Node.Struct;
import org.emplace.tests.codegen.mapping.Node.Union;

/** The eligible items below a node, in the order of the definitions. */
final class Items {
    private final List<Found> found = new ArrayList<>();

    /**
     * An eligible item.
     *
     * @param path the names of members, with {@code []} for the elements of arrays and lists
     * @param inside the arrays and lists that it is in, the outermost first
     */
    record Found(Item item, String path, List<Repetition> inside) {
        boolean isPayload() {
            return item.content().isPayload();
        }
    }

    private Items() {}

    static List<Found> of(Node node) {
        Items items = new Items();
        items.visit(node, "", List.of());
        return items.found;
    }

    /** The least bytes of the items that each value has, without those in arrays of variable length. */
    static long least(Node node) {
        if (node instanceof Item item) {
            return item.content().least();
        } else if (node instanceof Struct struct) {
            return struct.members().stream()
                    .mapToLong(each -> least(each.node()))
                    .sum();
        } else if (node instanceof Array array && array.isFixed()) {
            return array.bound() * least(array.element());
        }
        return 0;
    }

    private void visit(Node node, String path, List<Repetition> inside) {
        if (node instanceof Item item) {
            found.add(new Found(item, path, inside));
        } else if (node instanceof Struct struct) {
            visit(struct.members(), path, inside);
        } else if (node instanceof Union union) {
            union.arms().forEach(arm -> visit(arm.content().stream().toList(), path, inside));
        } else if (node instanceof Option option) {
            visit(option.element(), path, inside);
        } else if (node instanceof Array array) {
            visit(array.element(), path + "[]", with(inside, array));
        } else if (node instanceof Linked list) {
            visit(list.before(), path + "[]", with(inside, list));
            visit(list.after(), path + "[]", with(inside, list));
        } else if (node instanceof Node.Operations operations) {
            visit(operations.results(), path, inside);
        }
    }

    private void visit(List<Member> members, String path, List<Repetition> inside) {
        members.forEach(each -> visit(each.node(), path.isEmpty() ? each.name() : path + "." + each.name(), inside));
    }

    private static List<Repetition> with(List<Repetition> inside, Repetition inner) {
        List<Repetition> longer = new ArrayList<>(inside);
        longer.add(inner);
        return List.copyOf(longer);
    }
}
