// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.util.ArrayList;
import java.util.List;

/** The numbers in the arguments of one call from which sizes of results are computed. */
final class Sizes {
    /** The lengths in an element. */
    static final int NUMBERS = 2;

    /** The most elements. */
    static final int MOST = 45;

    private static final int[] COUNTS = {0, 1, 2, 3, 4, 3, 4, 3};

    private final Draws draws;
    private final List<List<Element>> arrays = new ArrayList<>();

    private record Element(int arm, List<Long> numbers) {}

    Sizes(Draft draft, Draws draws) {
        this.draws = draws;
        for (Node.SizeArray array : draft.sizeArrays()) {
            Draws of = draws.at(array.name());
            List<Element> elements = new ArrayList<>();
            int count = of.at("many").oneIn(16)
                    ? 5 + of.at("more").below(MOST - 5)
                    : COUNTS[of.at("count").below(COUNTS.length)];
            for (int i = 0; i < count; i++) {
                Draws each = of.at(i);
                List<Long> numbers = new ArrayList<>(NUMBERS);
                for (int j = 0; j < NUMBERS; j++) {
                    numbers.add(Lengths.wanted(each.at("number").at(j)));
                }
                elements.add(new Element(array.arms() == 0 ? 0 : each.at("arm").below(array.arms()), numbers));
            }
            arrays.add(elements);
        }
    }

    long field(int index) {
        return Lengths.wanted(draws.at("field").at(index));
    }

    /** The number of elements in an array. */
    int count(Node.SizeArray array) {
        return arrays.get(array.index()).size();
    }

    /** The arm of an element. */
    int arm(Node.SizeArray array, int index) {
        return arrays.get(array.index()).get(index).arm();
    }

    /** A number of an element; {@link Size#ABSENT} if there is no such element, or it has another arm. */
    long element(Node.SizeArray array, int index, int arm, int number) {
        List<Element> elements = arrays.get(array.index());
        if (index >= elements.size() || (array.arms() > 0 && elements.get(index).arm() != arm)) {
            return Size.ABSENT;
        }
        return elements.get(index).numbers().get(number);
    }
}
