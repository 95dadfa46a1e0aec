// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.command;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.Consumer;

/** What this process is told by whoever started it, such as systemd, and what it tells in return. */
final class Supervision {
    private final Consumer<String> warnings;

    /** @param warnings gets a line for each thing that does not work */
    Supervision(Consumer<String> warnings) {
        this.warnings = warnings;
    }

    /**
     * Runs an action at each SIGHUP. By reflection, because the compiler warns of {@code sun.misc.Signal}, which every JDK has and nothing replaces (JEP
     * 260).
     */
    void onHangUp(Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            MethodHandle run = MethodHandles.lookup()
                    .findVirtual(Runnable.class, "run", MethodType.methodType(void.class))
                    .bindTo(action);
            Object handles =
                    MethodHandleProxies.asInterfaceInstance(handler, MethodHandles.dropArguments(run, 0, signal));
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), handles);
        } catch (ReflectiveOperationException e) {
            warnings.accept("exports can only be changed by a restart: " + e);
        }
    }

    /**
     * Says that the server serves, if this is a service of systemd with {@code Type=notify}: see sd_notify(3). By its command, because Java has no datagram
     * sockets of the family AF_UNIX.
     */
    void ready() throws InterruptedException {
        if (System.getenv("NOTIFY_SOCKET") == null) {
            return;
        }
        try {
            int status = new ProcessBuilder("systemd-notify", "--ready")
                    .inheritIO()
                    .start()
                    .waitFor();
            if (status != 0) {
                warnings.accept("warning: systemd-notify ended with status " + status
                        + ", so systemd does not know that this server is ready");
            }
        } catch (IOException e) {
            warnings.accept("warning: systemd does not know that this server is ready: " + e.getMessage());
        }
    }
}
