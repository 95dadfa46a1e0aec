// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.util.AbstractQueue;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A queue in an array that an Error leaves as it was. {@link java.util.ArrayDeque} adds an element before it grows, and
 * looks empty if it cannot grow: what waited there would wait for ever. Not thread-safe.
 */
public final class FifoQueue<E> extends AbstractQueue<E> {
    private static final int FIRST_CAPACITY = 4;

    /** The length is 0 or a power of two. */
    private @Nullable Object[] elements = {};

    private int head;
    private int size;

    /** Creates an empty queue, which has no array yet. */
    public FifoQueue() {}

    @Override
    public int size() {
        return size;
    }

    @Override
    public boolean offer(E element) {
        growIfFull();
        elements[place(size)] = element;
        size++;
        return true;
    }

    /** Adds an element before the others. */
    public void addFirst(E element) {
        growIfFull();
        head = place(-1);
        elements[head] = element;
        size++;
    }

    @Override
    public @Nullable E poll() {
        E first = peek();
        if (first != null) {
            elements[head] = null;
            head = place(1);
            size--;
        }
        return first;
    }

    @Override
    public @Nullable E peek() {
        return size == 0 ? null : get(0);
    }

    /** Returns an iterator from the first element to the last. Of other changes it may miss some. */
    @Override
    public Iterator<E> iterator() {
        return new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < size;
            }

            @Override
            public E next() {
                if (next >= size) {
                    throw new NoSuchElementException();
                }
                return get(next++);
            }

            @Override
            public void remove() {
                removeAt(--next);
            }
        };
    }

    @SuppressWarnings("unchecked") // only E is added
    private E get(int index) {
        return (E) elements[place(index)];
    }

    private int place(int index) {
        return (head + index) & (elements.length - 1);
    }

    /** Moves the elements before or after the removed one, whichever are fewer. */
    private void removeAt(int index) {
        if (index < size / 2) {
            for (int i = index; i > 0; i--) {
                elements[place(i)] = elements[place(i - 1)];
            }
            elements[head] = null;
            head = place(1);
        } else {
            for (int i = index; i < size - 1; i++) {
                elements[place(i)] = elements[place(i + 1)];
            }
            elements[place(size - 1)] = null;
        }
        size--;
    }

    private void growIfFull() {
        if (size == elements.length) {
            @Nullable Object[] more = new Object[Math.max(FIRST_CAPACITY, 2 * size)];
            for (int i = 0; i < size; i++) {
                more[i] = elements[place(i)];
            }
            elements = more;
            head = 0;
        }
    }
}
