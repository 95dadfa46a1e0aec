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

    /** The most items that a value without arrays and lists has at the same time. */
    static int most(Node node) {
        if (node instanceof Item) {
            return 1;
        } else if (node instanceof Struct struct) {
            return most(struct.members());
        } else if (node instanceof Union union) {
            return union.arms().stream().mapToInt(Items::most).max().orElse(0);
        } else if (node instanceof Option option) {
            return most(option.element());
        }
        return of(node).size();
    }

    /** Whether no arms exclude each other's items, so that the arguments tell which element each chunk is for. */
    static boolean areOrdered(Node node) {
        if (node instanceof Struct struct) {
            return areOrdered(struct.members());
        } else if (node instanceof Union union) {
            return union.arms().stream().filter(arm -> most(arm) > 0).count() <= 1 && areArmsOrdered(union);
        } else if (node instanceof Option option) {
            return areOrdered(option.element());
        } else if (node instanceof Array array) {
            return areOrdered(array.element());
        } else if (node instanceof Linked list) {
            return areOrdered(list.before()) && areOrdered(list.after());
        } else if (node instanceof Node.Operations operations) {
            return areArmsOrdered((Union) operations.results().element());
        }
        return true;
    }

    private static boolean areOrdered(List<Member> members) {
        return members.stream().allMatch(each -> areOrdered(each.node()));
    }

    private static boolean areArmsOrdered(Union union) {
        return union.arms().stream()
                .allMatch(arm -> areOrdered(arm.content().stream().toList()));
    }

    static int most(Union.Arm arm) {
        return arm.content().map(each -> most(each.node())).orElse(0);
    }

    private static int most(List<Member> members) {
        return members.stream().mapToInt(each -> most(each.node())).sum();
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
