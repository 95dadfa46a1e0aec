// SPDX-License-Identifier: Apache-2.0
package org.emplace.faults;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Set;
import org.emplace.faults.FaultPoints.Kind;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Loads the classes of the project anew, those of the runtime with {@linkplain FaultPoints places} at which an error can
 * happen.
 */
final class FaultyClasses extends ClassLoader {
    private static final String PROJECT = "org.emplace.";
    private static final String POINTS = FaultPoints.class.getName();
    private static final Set<Integer> ARRAYS = Set.of(Opcodes.NEWARRAY, Opcodes.ANEWARRAY);

    FaultyClasses(ClassLoader parent) {
        super(parent);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(PROJECT) || name.startsWith(POINTS)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        String file = name.replace('.', '/') + ".class";
        URL url = getParent().getResource(file);
        if (url == null) {
            throw new ClassNotFoundException(name);
        }
        try (InputStream in = url.openStream()) {
            byte[] code = in.readAllBytes();
            byte[] loaded = isOfTheRuntime(url) ? withPoints(code) : code;
            return defineClass(name, loaded, 0, loaded.length);
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
    }

    private static boolean isOfTheRuntime(URL url) {
        String path = url.toString();
        return !path.contains("/test-classes/") && !path.contains("-tests.jar");
    }

    private static byte[] withPoints(byte[] code) {
        ClassReader reader = new ClassReader(code);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new PointsInMethods(writer, reader.getClassName()), 0);
        return writer.toByteArray();
    }

    /** Adds points to each method but the initializer of the class: if that fails, the class stays unusable for good. */
    private static final class PointsInMethods extends ClassVisitor {
        private final String type;

        PointsInMethods(ClassVisitor next, String type) {
            super(Opcodes.ASM9, next);
            this.type = type.substring(type.lastIndexOf('/') + 1);
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
            return name.equals("<clinit>") ? next : new Points(next, type + "." + name);
        }
    }

    private static final class Points extends MethodVisitor {
        private final String method;
        private int line;

        Points(MethodVisitor next, String method) {
            super(Opcodes.ASM9, next);
            this.method = method;
        }

        @Override
        public void visitLineNumber(int number, Label start) {
            line = number;
            super.visitLineNumber(number, start);
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            super.visitTypeInsn(opcode, type);
            // After it, because the stack maps refer to the offset of the instruction.
            if (opcode == Opcodes.NEW || ARRAYS.contains(opcode)) {
                add("new " + type, Kind.NO_MEMORY);
            }
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            if (ARRAYS.contains(opcode)) {
                add("new array", Kind.NO_MEMORY);
            }
            super.visitIntInsn(opcode, operand);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            if (opcode != Opcodes.INVOKESPECIAL) {
                String called = owner.substring(owner.lastIndexOf('/') + 1) + "." + name;
                add(called, Kind.NO_STACK);
                if (owner.startsWith("java/") && mayAllocate(owner, descriptor)) {
                    add(called, Kind.NO_MEMORY);
                }
            }
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        }

        /** Whether a method of the JDK may need memory: not if it only tells a number about an object. */
        private static boolean mayAllocate(String owner, String descriptor) {
            return Type.getReturnType(descriptor).getSort() >= Type.ARRAY
                    || Type.getArgumentTypes(descriptor).length > 0
                    || owner.startsWith("java/lang/Thread");
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            if (Type.getArgumentTypes(descriptor).length > 0) {
                add("lambda or string " + name, Kind.NO_MEMORY);
            }
            super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
        }

        private void add(String what, Kind kind) {
            super.visitLdcInsn(FaultPoints.add(method + ":" + line + " " + what, kind));
            super.visitMethodInsn(
                    Opcodes.INVOKESTATIC, Type.getInternalName(FaultPoints.class), "reached", "(I)V", false);
        }
    }
}
