// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicReference;
import org.emplace.reactor.AddressShares;
import org.jspecify.annotations.Nullable;

/** What servers and runtimes count as held: all that can be reached from them, by the names of the fields, because their users do not see it. */
final class Held {
    /** The counters that are zero, and the collections that are empty, while nothing is in progress. */
    private static final Set<String> AT_REST = Set.of(
            "MemoryShares.held",
            "MemoryShares.debt",
            "MemoryShares.line",
            "SharedReceives.lateAnswers",
            "UnansweredCalls.count",
            "ThreadShares.running",
            "ThreadShares.waiting",
            "ReplyCache.running",
            "HandlerThreads.tasks",
            "Threads.waiting",
            "Timers.size");

    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Object> next = new ArrayDeque<>();
    private final List<String> held = new ArrayList<>();
    /** The bytes that pools have registered, without free buffers and those of Receives. */
    private long pooled;

    private Held() {}

    /** The names and values of what is held. */
    static List<String> by(Object... roots) {
        Held walk = new Held();
        for (Object root : roots) {
            walk.add(root);
        }
        try {
            while (!walk.next.isEmpty()) {
                walk.visit(walk.next.pop());
            }
            if (walk.pooled != 0) {
                walk.held.add("held: " + walk.pooled + " bytes of pooled memory");
            }
        } catch (ReflectiveOperationException | RuntimeException changing) {
            // A collection may change meanwhile.
            walk.held.add("cannot look: " + changing);
        }
        return walk.held;
    }

    private void add(@Nullable Object found) {
        if (found != null && seen.add(found)) {
            next.push(found);
        }
    }

    private void visit(Object object) throws ReflectiveOperationException {
        if (object instanceof Map<?, ?> map) {
            map.forEach((key, value) -> {
                add(key);
                add(value);
            });
        } else if (object instanceof Collection<?> all) {
            all.forEach(this::add);
        } else if (object instanceof Object[] all) {
            for (Object element : all) {
                add(element);
            }
        } else if (object instanceof Optional<?> optional) {
            optional.ifPresent(this::add);
        } else if (object instanceof AtomicReference<?> reference) {
            add(reference.get());
        } else if (object instanceof ScheduledThreadPoolExecutor timers) {
            if (!timers.getQueue().isEmpty()) {
                held.add("held: " + timers.getQueue().size() + " timers");
            }
        } else if (object instanceof Selector selector) {
            long sockets = selector.keys().stream()
                    .filter(key -> !(key.channel() instanceof ServerSocketChannel))
                    .count();
            if (sockets > 0) {
                held.add("held: " + sockets + " sockets");
            }
        } else {
            for (Class<?> type = object.getClass(); isOurs(type); type = type.getSuperclass()) {
                visitFields(object, type);
            }
        }
    }

    private static boolean isOurs(@Nullable Class<?> type) {
        return type != null && type.getName().startsWith("org.emplace.");
    }

    private void visitFields(Object object, Class<?> type) throws ReflectiveOperationException {
        Field[] fields = type.getDeclaredFields();
        AccessibleObject.setAccessible(fields, true);
        for (Field field : fields) {
            countPooled(object, field);
            if (Modifier.isStatic(field.getModifiers()) || (field.getType().isPrimitive() && !isCounter(field))) {
                continue;
            }
            Object value = field.get(object);
            if (value instanceof AddressShares shares && isCounter(field) && shares.taken() != 0) {
                held.add("held: " + shares.taken() + " late answers");
            }
            if (isCounter(field)
                    && ((value instanceof Number number && number.longValue() != 0)
                            || (value instanceof Collection<?> all && !all.isEmpty())
                            || (value instanceof Map<?, ?> map && !map.isEmpty()))) {
                held.add("held: " + field.getDeclaringClass().getSimpleName() + "." + field.getName() + " " + value);
            }
            add(value);
        }
    }

    private void countPooled(Object object, Field field) throws ReflectiveOperationException {
        switch (field.getDeclaringClass().getSimpleName() + "." + field.getName()) {
            case "RegisteredPool.registered" -> pooled += field.getLong(object);
            case "Slab.freeCount" ->
                pooled -= field.getInt(object)
                        * (long) fieldOf(object, "capacity").getInt(object);
            case "ReceivedMessage.registered" -> {
                Object buffer = field.get(object);
                if (buffer != null) {
                    pooled -= ((ByteBuffer) fieldOf(buffer, "view").get(buffer)).capacity();
                }
            }
            default -> {}
        }
    }

    private static Field fieldOf(Object object, String name) throws ReflectiveOperationException {
        Field field = object.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    private static boolean isCounter(Field field) {
        return AT_REST.contains(field.getDeclaringClass().getSimpleName() + "." + field.getName());
    }
}
