// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The strongly connected components of a graph of names. Each component follows those that it leads to. Uses Tarjan's algorithm with an explicit
 * stack, so that deep input does not overflow the Java stack.
 */
public final class StrongComponents {

    private record Visit(String name, Iterator<String> rest) {}

    private final Function<String, List<String>> successors;
    private final Map<String, Integer> index = new HashMap<>();
    private final Map<String, Integer> low = new HashMap<>();
    private final Deque<String> open = new ArrayDeque<>();
    private final Map<String, Boolean> isOpen = new HashMap<>();
    private final List<List<String>> components = new ArrayList<>();

    private StrongComponents(Function<String, List<String>> successors) {
        this.successors = successors;
    }

    /** The components, each before those that use it. */
    public static List<List<String>> of(Collection<String> names, Function<String, List<String>> successors) {
        StrongComponents search = new StrongComponents(successors);
        names.forEach(search::from);
        return search.components;
    }

    private void from(String start) {
        if (index.containsKey(start)) {
            return;
        }
        Deque<Visit> visits = new ArrayDeque<>();
        visits.push(enter(start));
        while (!visits.isEmpty()) {
            Visit visit = visits.element();
            if (visit.rest().hasNext()) {
                String next = visit.rest().next();
                if (!index.containsKey(next)) {
                    visits.push(enter(next));
                } else if (isOpen.getOrDefault(next, false)) {
                    low.merge(visit.name(), index.getOrDefault(next, 0), Math::min);
                }
            } else {
                visits.pop();
                leave(visit.name());
                if (!visits.isEmpty()) {
                    low.merge(visits.element().name(), low.getOrDefault(visit.name(), 0), Math::min);
                }
            }
        }
    }

    private Visit enter(String name) {
        low.put(name, index.size());
        index.put(name, index.size());
        open.push(name);
        isOpen.put(name, true);
        return new Visit(name, successors.apply(name).iterator());
    }

    private void leave(String name) {
        if (!low.getOrDefault(name, 0).equals(index.get(name))) {
            return;
        }
        List<String> component = new ArrayList<>();
        String member;
        do {
            member = open.pop();
            isOpen.put(member, false);
            component.add(member);
        } while (!member.equals(name));
        components.add(component);
    }
}
