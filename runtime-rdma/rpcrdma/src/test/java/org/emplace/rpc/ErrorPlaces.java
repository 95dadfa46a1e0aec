// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Loads the project's classes anew, so that an Error can be thrown once at any place where they may really throw one: at each {@code new} of the
 * runtime and each call of a test's code. Threads of the runtime reach places, so this is safe for use by several threads.
 */
public final class ErrorPlaces extends ClassLoader {
    /** The loaded classes call this object, so there is one. */
    static final ErrorPlaces ALL = new ErrorPlaces();

    private static final String PROJECT = "org.emplace.";
    private static final int MOST = 100_000;

    private final List<String> names = new ArrayList<>();
    private final AtomicIntegerArray reached = new AtomicIntegerArray(MOST);
    private volatile boolean counting;
    private volatile int armed = -1;
    private volatile Supplier<? extends Error> error = StackOverflowError::new;
    private final AtomicInteger passes = new AtomicInteger();
    /** The thread that looks on: for it, places do nothing. Null before the beginning and after the end. */
    private volatile @Nullable Thread onlooker;

    private ErrorPlaces() {
        super(ErrorPlaces.class.getClassLoader());
    }

    /** Called by the loaded classes at each place. */
    public static void reached(int place) {
        Thread onlooker = ALL.onlooker;
        if (onlooker != null && onlooker != Thread.currentThread()) {
            ALL.pass(place);
        }
    }

    private void pass(int place) {
        if (place == armed && passes.decrementAndGet() == 0) {
            throw error.get();
        }
        if (counting) {
            reached.incrementAndGet(place);
        }
    }

    /** Counts how often each place is reached, from {@link #begin} to {@link #end}. */
    void count() {
        armed = -1;
        counting = true;
    }

    /** Throws an error at a place when it is reached for the n-th time after {@link #begin}. */
    void arm(int place, int pass, Supplier<? extends Error> thrown) {
        counting = false;
        error = thrown;
        passes.set(pass);
        armed = place;
    }

    /** Whether the error has been thrown. */
    boolean hasThrown() {
        return armed >= 0 && passes.get() <= 0;
    }

    /** From now on, places count and throw, except on this thread. Called by the loaded classes, as {@link #end}. */
    public static void begin() {
        ALL.onlooker = Thread.currentThread();
    }

    /** From now on, nothing happens at places. */
    public static void end() {
        ALL.onlooker = null;
    }

    /** The places that have been reached while this object counted, each as often as it was reached, but at most {@code most} times. */
    synchronized List<Pass> passes(int most) {
        List<Pass> all = new ArrayList<>();
        for (int pass = 1; pass <= most; pass++) {
            int nth = pass;
            IntStream.range(0, names.size())
                    .filter(place -> reached.get(place) >= nth)
                    .forEach(place -> all.add(new Pass(place, nth)));
        }
        return all;
    }

    /** A place, and which time it is reached. */
    record Pass(int place, int number) {
        @Override
        public String toString() {
            synchronized (ALL) {
                return ALL.names.get(place) + (number == 1 ? "" : ", pass " + number);
            }
        }
    }

    private synchronized int named(String name) {
        names.add(name);
        return names.size() - 1;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(PROJECT) || name.startsWith(ErrorPlaces.class.getName())) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known == null ? instrumented(name) : known;
        }
    }

    private Class<?> instrumented(String name) throws ClassNotFoundException {
        URL file = getResource(name.replace('.', '/') + ".class");
        if (file == null) {
            throw new ClassNotFoundException(name);
        }
        boolean isTest = file.getPath().matches(".*/test-classes/.*|.*-tests\\.jar!.*");
        try (InputStream in = file.openStream()) {
            ClassReader reader = new ClassReader(in);
            ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
            reader.accept(new Places(writer, name.substring(PROJECT.length()), isTest), 0);
            byte[] code = writer.toByteArray();
            return defineClass(name, code, 0, code.length);
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
    }

    private final class Places extends ClassVisitor {
        private final String type;
        private final boolean isTest;

        Places(ClassVisitor next, String type, boolean isTest) {
            super(Opcodes.ASM9, next);
            this.type = type;
            this.isTest = isTest;
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String form, String signature, String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, form, signature, exceptions);
            // A class whose initialization fails is lost to all.
            boolean hasPlaces =
                    next != null && !name.equals("<clinit>") && (!isTest || name.matches("lambda.(service|live).*"));
            return hasPlaces ? new PlacesOfMethod(next, type + "." + name, isTest) : next;
        }
    }

    private final class PlacesOfMethod extends MethodVisitor {
        private final String method;
        private final boolean atStart;
        private int line;

        PlacesOfMethod(MethodVisitor next, String method, boolean atStart) {
            super(Opcodes.ASM9, next);
            this.method = method;
            this.atStart = atStart;
        }

        @Override
        public void visitCode() {
            super.visitCode();
            if (atStart) {
                addPlace("start");
            }
        }

        @Override
        public void visitLineNumber(int number, Label start) {
            line = number;
            super.visitLineNumber(number, start);
        }

        @Override
        public void visitTypeInsn(int opcode, String made) {
            // After the instruction: the frames of the method know the uninitialized object by where it is.
            super.visitTypeInsn(opcode, made);
            if (opcode == Opcodes.NEW || opcode == Opcodes.ANEWARRAY) {
                addNew(made.substring(made.lastIndexOf('/') + 1));
            }
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            super.visitIntInsn(opcode, operand);
            if (opcode == Opcodes.NEWARRAY) {
                addNew("array");
            }
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String form, Handle maker, Object... arguments) {
            addNew(name + " lambda");
            super.visitInvokeDynamicInsn(name, form, maker, arguments);
        }

        private void addNew(String what) {
            if (!atStart) {
                addPlace("new " + what);
            }
        }

        private void addPlace(String what) {
            super.visitLdcInsn(named(method + ":" + line + " " + what));
            super.visitMethodInsn(Opcodes.INVOKESTATIC, "org/emplace/rpc/ErrorPlaces", "reached", "(I)V", false);
        }
    }
}
