// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.random;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Random cases of a union.
 *
 * @param arms the labels of each arm; no two have the same value
 */
record UnionCases(String discriminantType, List<List<String>> arms, boolean hasDefault) {
    private static final List<String> INTS =
            List.of("0", "1", "2", "-1", "3", "7", "100", "0x10", "65536", "2147483647", "-2147483647");
    private static final List<String> UNSIGNED =
            List.of("0", "1", "2", "3", "7", "0x10", "2147483647", "2147483648", "4294967295");

    static UnionCases draw(Random random, Map<String, Map<String, Integer>> enums) {
        return switch (random.nextInt(6)) {
            case 0 -> of(random, "int", INTS);
            case 1 -> of(random, "unsigned int", UNSIGNED);
            case 2, 3 -> of(random, "bool", List.of("TRUE", "FALSE"));
            default -> ofEnum(random, enums);
        };
    }

    private static UnionCases ofEnum(Random random, Map<String, Map<String, Integer>> enums) {
        List<String> types = List.copyOf(enums.keySet());
        String type = types.get(random.nextInt(types.size()));
        Set<Integer> values = new HashSet<>();
        List<String> labels = new ArrayList<>();
        enums.getOrDefault(type, Map.of()).forEach((enumerator, value) -> {
            if (values.add(value)) {
                labels.add(enumerator);
            }
        });
        return of(random, type, labels);
    }

    private static UnionCases of(Random random, String type, List<String> labels) {
        List<String> left = new ArrayList<>(labels);
        Collections.shuffle(left, random);
        int used = 1 + random.nextInt(left.size());
        List<List<String>> arms = new ArrayList<>();
        for (int from = 0; from < used; ) {
            int to = Math.min(used, from + 1 + (random.nextInt(3) == 0 ? random.nextInt(3) : 0));
            arms.add(List.copyOf(left.subList(from, to)));
            from = to;
        }
        return new UnionCases(type, arms, random.nextBoolean());
    }
}
