// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.random;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Java sources that stand in no files. */
public final class JavaSources {
    private JavaSources() {}

    /**
     * What javac made of sources.
     *
     * @param messages what it said, with every warning on; empty if all is well
     * @param loader of their classes
     */
    public record Compiled(String messages, ClassLoader loader, Map<String, byte[]> classFiles) {}

    /**
     * Compiles sources in memory for the Java that runs this, against the class path that this has.
     *
     * @param sources texts by path, as the compiler gives them
     */
    public static Compiled compile(Map<String, String> sources) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        List<String> options = List.of(
                "--release",
                String.valueOf(Runtime.version().feature()),
                "-Xlint:all",
                "-Werror",
                "-proc:none",
                "-Xmaxerrs",
                "20",
                "-classpath",
                System.getProperty("java.class.path"));
        List<JavaFileObject> files = new ArrayList<>();
        sources.forEach((path, text) -> files.add(new Source(path, text)));
        Classes classes = new Classes(compiler.getStandardFileManager(null, null, null));
        compiler.getTask(messages, classes, null, options, null, files).call();
        return new Compiled(messages.toString(), classes.loader(), classes.files());
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String path, String text) {
            super(URI.create("string:///" + path), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** Keeps what javac writes. */
    private static final class Classes extends ForwardingJavaFileManager<StandardJavaFileManager> {
        private final Map<String, ByteArrayOutputStream> written = new HashMap<>();

        Classes(StandardJavaFileManager standard) {
            super(standard);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                JavaFileManager.Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + name.replace('.', '/')), kind) {
                @Override
                public OutputStream openOutputStream() {
                    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    written.put(name, bytes);
                    return bytes;
                }
            };
        }

        Map<String, byte[]> files() {
            Map<String, byte[]> files = new HashMap<>();
            written.forEach((name, bytes) -> files.put(name, bytes.toByteArray()));
            return files;
        }

        ClassLoader loader() {
            return new ClassLoader(JavaSources.class.getClassLoader()) {
                @Override
                protected Class<?> findClass(String name) throws ClassNotFoundException {
                    ByteArrayOutputStream bytes = written.get(name);
                    if (bytes == null) {
                        throw new ClassNotFoundException(name);
                    }
                    return defineClass(name, bytes.toByteArray(), 0, bytes.size());
                }
            };
        }
    }
}
