// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.process;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A process that answers each line with a line. It ends when its standard input ends. */
public final class LineProgram implements AutoCloseable {
    private static final Duration LONGEST_ANSWER = Duration.ofMinutes(3);
    private static final String END = "";

    private final String name;
    private final Process process;
    private final BufferedWriter input;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    private LineProgram(String name, Process process) {
        this.name = name;
        this.process = process;
        this.input = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
        Thread reader = new Thread(this::readAnswers, "output of " + name);
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts a Java program in its own JVM, with this JVM's class path.
     *
     * @param program the main class
     * @param prefix the command and arguments of a program that starts the JVM; empty for none
     * @param options the JVM's options
     * @param arguments the program's arguments
     */
    public static LineProgram java(Class<?> program, List<String> prefix, List<String> options, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // A JVM that crashes reports on standard error: standard output is read as answers, and its directory may be
        // deleted soon.
        command.addAll(List.of("-XX:+DisplayVMOutputToStderr", "-XX:+ErrorFileToStderr"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        command.addAll(List.of(arguments));
        return start(program.getSimpleName() + " " + String.join(" ", arguments), command);
    }

    /**
     * Starts a program.
     *
     * @param name in messages
     * @param command and its arguments
     */
    public static LineProgram start(String name, List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return new LineProgram(name, process);
    }

    private void readAnswers() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            output.lines().forEach(answers::add);
        } catch (IOException e) {
            System.err.println(name + ": " + e);
        } finally {
            answers.add(END);
        }
    }

    /** Sends a line and waits for the answer. */
    public String ask(String line) throws IOException, InterruptedException {
        input.write(line);
        input.newLine();
        input.flush();
        return answer();
    }

    /** Waits for the next line of output. */
    public String answer() throws IOException, InterruptedException {
        String answer = answers.poll(LONGEST_ANSWER.toSeconds(), TimeUnit.SECONDS);
        if (answer == null) {
            throw new IOException(name + " has not answered within " + LONGEST_ANSWER.toSeconds() + " s");
        }
        if (answer.equals(END)) {
            throw new IOException(name + " has ended; its output is above");
        }
        return answer;
    }

    /** Stops the process, which then uses no processor, until {@link #resume}. */
    void suspend() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** Continues a suspended process. */
    void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String signal) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid()))
                .inheritIO()
                .start();
        if (kill.waitFor() != 0) {
            throw new IOException("cannot send SIG" + signal + " to " + name);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            input.close();
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
