// SPDX-License-Identifier: Apache-2.0
package org.emplace.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Takes the Debian packages apart, and installs them below an empty folder. Needs dpkg; skipped, and counted as skipped, without it. */
@EnabledOnOs(OS.LINUX)
class DebianPackagesIT {
    private static final String VERSION = System.getProperty("distribution.version");
    private static final List<String> PACKAGES = List.of("nfs", "nfs-server", "xdrc");
    private static final Pattern LISTED = Pattern.compile("(?m)^(\\S{10}) (\\S+) .* \\./(\\S*?)(?: -> (\\S+))?$");

    @TempDir
    private Path folder = Path.of("");

    @BeforeEach
    void dpkgIsInstalled() {
        for (String command : List.of("dpkg", "dpkg-deb")) {
            if (!Files.isExecutable(Path.of("/usr/bin", command))) {
                abort("THE DEBIAN PACKAGES WERE NOT TESTED: there is no /usr/bin/" + command);
            }
        }
    }

    @Test
    void packagesHaveFilesOfRootOnly() throws Exception {
        for (String name : PACKAGES) {
            String all = output("dpkg-deb", "--contents", deb(name).toString());

            assertThat(LISTED.matcher(all).results())
                    .as(name)
                    .isNotEmpty()
                    .hasSize((int) all.lines().count())
                    .allSatisfy(entry -> assertThat(entry.group(2)).isEqualTo("root/root"))
                    .allSatisfy(entry -> assertThat(entry.group(1)).doesNotMatch(".{5}w.*|[-d].{7}w.*"));
            assertThat(contents(name))
                    .contains(
                            "usr/share/doc/emplace-" + name + "/copyright",
                            "usr/share/doc/emplace-" + name + "/changelog.gz",
                            "usr/share/bash-completion/completions/" + name);
        }
    }

    @Test
    void commandsManualPagesAndTheUnitAreWhereDebianHasThem() throws Exception {
        assertThat(contents("nfs"))
                .contains("usr/bin/nfs", "usr/lib/emplace-nfs/bin/launch", "usr/share/man/man1/nfs-cp.1.gz")
                .noneMatch(file -> file.endsWith("/nfs-server") || file.contains("man8"));
        assertThat(contents("nfs-server"))
                .contains(
                        "usr/sbin/nfs-server",
                        "usr/share/man/man8/nfs-server.8.gz",
                        "lib/systemd/system/emplace-nfs-server.service",
                        "etc/emplace/nfs-server.conf")
                .noneMatch(file -> file.endsWith(".jar") || file.contains("man1"));
        assertThat(contents("xdrc"))
                .contains("usr/bin/xdrc", "usr/lib/emplace-xdrc/spec/nfs3.x", "usr/share/man/man1/xdrc-compile.1.gz");
    }

    @Test
    void controlFilesNameVersionAndDependencies() throws Exception {
        String debianVersion = VERSION.replace("-SNAPSHOT", "~SNAPSHOT");
        for (String name : PACKAGES) {
            assertThat(field(name, "Package")).isEqualTo("emplace-" + name);
            assertThat(field(name, "Version")).isEqualTo(debianVersion);
        }
        assertThat(field("nfs", "Architecture")).isEqualTo(System.getProperty("deb.architecture"));
        assertThat(field("nfs", "Depends")).contains("java17-runtime-headless");
        assertThat(field("nfs-server", "Depends")).isEqualTo("emplace-nfs (= " + debianVersion + ")");
        assertThat(output("dpkg-deb", "--info", deb("nfs-server").toString(), "conffiles"))
                .isEqualTo("/etc/emplace/nfs-server.conf\n");
    }

    @Test
    void installedCommandsRunAndCanBeRemoved() throws Exception {
        Path root = installed();
        Path exported = Files.createDirectory(folder.resolve("exported"));
        Path configuration = root.resolve("etc/emplace/nfs-server.conf");

        assertThat(output(root + "/usr/bin/nfs", "--version")).startsWith("nfs ");
        assertThat(output(root + "/usr/bin/xdrc", "--version")).startsWith("xdrc ");
        assertThat(endOf("2", root + "/usr/sbin/nfs-server", "--config", configuration.toString(), "--check-config"))
                .startsWith("nfs-server: nothing to export");
        Files.writeString(configuration, "export = " + exported + ":rw\n", StandardOpenOption.APPEND);
        assertThat(output(root + "/usr/sbin/nfs-server", "--config", configuration.toString(), "--check-config"))
                .isEqualTo("no errors; exports: 1\n");

        dpkg(root, "--remove", "emplace-nfs-server", "emplace-nfs", "emplace-xdrc");
        assertThat(filesBelow(root)).containsExactly(configuration);
        dpkg(root, "--purge", "emplace-nfs-server");
        assertThat(filesBelow(root)).isEmpty();
    }

    @Test
    void everyLineOfTheConfigurationFileIsAnOption() throws Exception {
        Path root = installed();
        Path configuration = root.resolve("etc/emplace/nfs-server.conf");
        Path exported = Files.createDirectory(folder.resolve("exported"));
        String all = Files.readString(configuration)
                .replaceAll("(?m)^#(?=[a-z])", "")
                .replaceAll("(?m)^export = [^:]*", "export = " + exported)
                .replaceAll("(?m)^exports = .*", "");
        Files.writeString(configuration, all);

        assertThat(output(root + "/usr/sbin/nfs-server", "--config", configuration.toString(), "--check-config"))
                .isEqualTo("no errors; exports: 1\n");
    }

    @Test
    void systemdAcceptsTheUnit() throws Exception {
        if (!Files.isExecutable(Path.of("/usr/bin/systemd-analyze"))) {
            abort("THE UNIT WAS NOT TESTED: there is no /usr/bin/systemd-analyze");
        }
        Path unit = installed().resolve("lib/systemd/system/emplace-nfs-server.service");
        // systemd looks for the command in this machine's own folders.
        Path verified = folder.resolve("emplace-nfs-server.service");
        Files.writeString(verified, Files.readString(unit).replace("/usr/sbin/nfs-server", "/bin/true"));

        assertThat(output("systemd-analyze", "verify", "--man=no", "--recursive-errors=no", verified.toString()))
                .isEmpty();
    }

    private static Path deb(String name) {
        return Path.of("target", "emplace-" + name + "-" + VERSION + ".deb").toAbsolutePath();
    }

    private List<String> contents(String name) throws Exception {
        return LISTED.matcher(output("dpkg-deb", "--contents", deb(name).toString()))
                .results()
                .map(entry -> entry.group(3))
                .toList();
    }

    private String field(String name, String field) throws Exception {
        return output("dpkg-deb", "--field", deb(name).toString(), field).strip();
    }

    /** All packages, below a folder of their own with a database of its own. */
    private Path installed() throws Exception {
        Path root = Files.createDirectory(folder.resolve("root"));
        Path database = Files.createDirectories(root.resolve("var/lib/dpkg"));
        Files.createDirectories(database.resolve("info"));
        Files.createDirectories(database.resolve("updates"));
        Files.createFile(database.resolve("status"));
        List<String> install = new ArrayList<>(List.of("--force-depends", "--install"));
        PACKAGES.forEach(name -> install.add(deb(name).toString()));
        dpkg(root, install.toArray(String[]::new));
        return root;
    }

    /** As root of a user namespace, so that dpkg can give files to root. */
    private void dpkg(Path root, String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        if (!System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("unshare", "--map-root-user"));
        }
        command.addAll(List.of("dpkg", "--root=" + root, "--force-not-root", "--log=/dev/null"));
        command.addAll(List.of(arguments));
        output(command.toArray(String[]::new));
    }

    /** Files that a package could have installed. */
    private static List<Path> filesBelow(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> !Files.isDirectory(file) && !file.startsWith(root.resolve("var/lib/dpkg")))
                    .toList();
        }
    }

    private String output(String... command) throws IOException, InterruptedException {
        return endOf("0", command);
    }

    /** What a command writes, to its standard error too, if it ends with this status. */
    private String endOf(String status, String... command) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("LC_ALL", "C.UTF-8");
        environment.merge("PATH", "/usr/sbin:/sbin", (path, system) -> path + ":" + system);
        Process process = builder.start();
        try (InputStream written = process.getInputStream()) {
            String output = new String(written.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isEqualTo(Integer.parseInt(status));
            return output;
        }
    }
}
