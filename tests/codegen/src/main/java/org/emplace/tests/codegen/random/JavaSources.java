// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.random;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles Java sources in memory. */
public final class JavaSources {
    private JavaSources() {}

    /**
     * The result of javac.
     *
     * @param messages its messages, with all warnings enabled; empty if there are none
     */
    public record Compiled(String messages, Map<String, byte[]> classFiles) {

        /** A loader of the classes. */
        public ClassLoader loader() {
            return loader(JavaSources.class.getClassLoader());
        }

        /** A loader of the classes, with a parent for the classes that they use. */
        public ClassLoader loader(ClassLoader parent) {
            return new ClassLoader(parent) {
                @Override
                protected Class<?> findClass(String name) throws ClassNotFoundException {
                    byte[] bytes = classFiles.get(name);
                    if (bytes == null) {
                        throw new ClassNotFoundException(name);
                    }
                    return defineClass(name, bytes, 0, bytes.length);
                }
            };
        }
    }

    /**
     * Compiles sources for the running Java version, with the running program's class path.
     *
     * @param sources texts by path, as the XDR compiler returns them
     * @param jars added to the class path
     */
    public static Compiled compile(Map<String, String> sources, Path... jars) {
        String classPath = Stream.concat(
                        Arrays.stream(jars).map(Path::toString), Stream.of(System.getProperty("java.class.path")))
                .collect(Collectors.joining(File.pathSeparator));
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
                classPath);
        List<JavaFileObject> files = new ArrayList<>();
        sources.forEach((path, text) -> files.add(new Source(path, text)));
        Classes classes = new Classes(compiler.getStandardFileManager(null, null, null));
        compiler.getTask(messages, classes, null, options, null, files).call();
        return new Compiled(messages.toString(), classes.files());
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

    /** Keeps the class files that javac writes. */
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
    }
}
