// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The queue does what {@link ArrayDeque} does. */
final class FifoQueueTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void randomStepsHaveTheSameResults(int seed) {
        Random random = new Random(seed);
        FifoQueue<Integer> queue = new FifoQueue<>();
        Deque<Integer> model = new ArrayDeque<>();

        for (int step = 0; step < 5_000; step++) {
            // More are removed than added now and then, so that the array is full and empty many times.
            int kind = random.nextInt(step % 200 < 120 ? 6 : 9);
            if (kind < 3) {
                queue.add(step);
                model.add(step);
            } else if (kind == 3) {
                queue.addFirst(step);
                model.addFirst(step);
            } else if (kind == 4 && !model.isEmpty()) {
                Integer any = model.stream()
                        .skip(random.nextInt(model.size()))
                        .findFirst()
                        .orElseThrow();
                assertThat(queue.remove(any)).isEqualTo(model.remove(any));
            } else if (kind == 5) {
                int every = 2 + random.nextInt(7);
                removeEach(every, queue.iterator());
                removeEach(every, model.iterator());
            } else {
                assertThat(queue.poll()).isEqualTo(model.poll());
            }
            assertThat(queue.peek()).isEqualTo(model.peek());
            assertThat(queue).hasSize(model.size()).containsExactlyElementsOf(model);
        }
    }

    private static void removeEach(int every, Iterator<Integer> elements) {
        for (int i = 0; elements.hasNext(); i++) {
            elements.next();
            if (i % every == 0) {
                elements.remove();
            }
        }
    }

    @Test
    void anEmptyQueueHasNoElement() {
        FifoQueue<String> queue = new FifoQueue<>();

        assertThat(queue.peek()).isNull();
        assertThat(queue.poll()).isNull();
        assertThatThrownBy(queue::remove).isInstanceOf(NoSuchElementException.class);
        assertThatThrownBy(queue.iterator()::next).isInstanceOf(NoSuchElementException.class);
    }
}
