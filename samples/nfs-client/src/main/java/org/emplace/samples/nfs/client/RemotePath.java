// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.emplace.xdr.XdrString;

/**
 * A location on an NFS server, as in the URL {@code nfs://HOST[:PORT]/EXPORT/PATH[?OPTION=VALUE&...]} (RFC 2224). Only the server knows
 * where the export ends and the path within it begins.
 *
 * @param host name or address; an IPv6 address without its brackets
 * @param port of the NFS program, if the URL has one
 * @param components the names between the slashes; no empty ones, no dots, no double dots
 * @param options of the mount, as written after the question mark; empty if there are none
 */
public record RemotePath(String host, OptionalInt port, List<XdrString> components, String options) {
    private static final String SCHEME = "nfs://";
    private static final Pattern OPTIONS =
            Pattern.compile("([A-Za-z0-9]+(=([A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})*)?(&|$))+");

    /** Copies the list. */
    public RemotePath {
        components = List.copyOf(components);
    }

    /**
     * Parses a URL. {@code %XX} stands for one byte of a name, other characters for their UTF-8 bytes; a question mark in a name is
     * {@code %3F}. Removes dot segments as in every URL (RFC 3986 section 5.2.4).
     *
     * @throws IllegalArgumentException if it is not an NFS URL; the message says why
     */
    public static RemotePath parse(String url) {
        if (!url.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            throw new IllegalArgumentException("'" + url + "' is not of the form nfs://HOST[:PORT]/EXPORT/PATH");
        }
        int question = url.indexOf('?');
        String rest = url.substring(SCHEME.length(), question < 0 ? url.length() : question);
        String options = question < 0 ? "" : url.substring(question + 1);
        if (question >= 0 && !OPTIONS.matcher(options).matches()) {
            throw new IllegalArgumentException(
                    "'" + url
                            + "': mount options follow the question mark, as in ?proto=tcp; write a question mark in a name as %3F");
        }
        int slash = rest.indexOf('/');
        String authority = slash < 0 ? rest : rest.substring(0, slash);
        String path = slash < 0 ? "" : rest.substring(slash);
        int hostEnd = authority.startsWith("[") ? authority.indexOf(']') + 1 : endOfName(authority);
        String host = authority.startsWith("[") && hostEnd > 0
                ? authority.substring(1, hostEnd - 1)
                : authority.substring(0, hostEnd);
        if (host.isEmpty()) {
            throw new IllegalArgumentException("'" + url + "' names no host");
        }
        return new RemotePath(host, port(authority.substring(hostEnd), url), components(path, url), options);
    }

    /**
     * The location that a URI names.
     *
     * @throws IllegalArgumentException if it is not an NFS URL; the message says why
     */
    public static RemotePath of(URI uri) {
        if (uri.isOpaque() || uri.getRawAuthority() == null || uri.getRawFragment() != null) {
            throw new IllegalArgumentException("'" + uri + "' is not of the form nfs://HOST[:PORT]/EXPORT/PATH");
        }
        return parse(uri.toString());
    }

    private static int endOfName(String authority) {
        int colon = authority.indexOf(':');
        return colon < 0 ? authority.length() : colon;
    }

    private static OptionalInt port(String text, String url) {
        if (text.isEmpty()) {
            return OptionalInt.empty();
        }
        try {
            int port = Integer.parseInt(text.substring(1));
            if (text.charAt(0) == ':' && port > 0 && port <= 0xffff) {
                return OptionalInt.of(port);
            }
        } catch (NumberFormatException e) {
            // Reported below, like a number that is not a port.
        }
        throw new IllegalArgumentException("'" + url + "': '" + text + "' is not a port from 1 to 65535");
    }

    private static List<XdrString> components(String path, String url) {
        List<XdrString> names = new ArrayList<>();
        for (String segment : path.split("/", -1)) {
            if (segment.equals("..")) {
                if (!names.isEmpty()) {
                    names.remove(names.size() - 1);
                }
            } else if (!segment.isEmpty() && !segment.equals(".")) {
                names.add(component(segment, url));
            }
        }
        return names;
    }

    private static XdrString component(String segment, String url) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int at = 0; at < segment.length(); ) {
            int character = segment.codePointAt(at);
            if (character == 0xfffd) {
                throw new IllegalArgumentException(
                        "'" + url + "' has a byte that is not UTF-8; write it as %XX, with its hexadecimal digits");
            }
            if (character == '%') {
                bytes.write(escaped(segment, at, url));
                at += 3;
            } else {
                bytes.writeBytes(Character.toString(character).getBytes(StandardCharsets.UTF_8));
                at += Character.charCount(character);
            }
        }
        XdrString name = XdrString.of(bytes.toByteArray());
        if (!RemoteName.isValid(name)) {
            throw new IllegalArgumentException("'" + url + "': '" + segment + "' cannot be a file's name");
        }
        return name;
    }

    private static int escaped(String segment, int at, String url) {
        int high = at + 1 < segment.length() ? Character.digit(segment.charAt(at + 1), 16) : -1;
        int low = at + 2 < segment.length() ? Character.digit(segment.charAt(at + 2), 16) : -1;
        if (high < 0 || low < 0) {
            throw new IllegalArgumentException(
                    "'" + url + "': two hexadecimal digits must follow %; write a percent sign as %25");
        }
        return high << 4 | low;
    }

    /** Whether a location is this one or below it, on the same server. */
    public boolean holds(RemotePath other) {
        return host.equals(other.host)
                && port.equals(other.port)
                && withoutPrefix(components, other.components).isPresent();
    }

    /**
     * The last name.
     *
     * @throws IllegalArgumentException if this is the server's root, which has none
     */
    public XdrString name() {
        if (components.isEmpty()) {
            throw new IllegalArgumentException("'" + this + "' has no name");
        }
        return components.get(components.size() - 1);
    }

    /** The components as a path, with a slash before each. */
    public static byte[] join(List<XdrString> components) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (XdrString component : components) {
            bytes.write('/');
            bytes.writeBytes(component.bytes());
        }
        return bytes.size() == 0 ? new byte[] {'/'} : bytes.toByteArray();
    }

    /** The components of a path on the server, such as that of an export or the target of a symbolic link. */
    public static List<XdrString> split(XdrString path) {
        byte[] bytes = path.bytes();
        List<XdrString> names = new ArrayList<>();
        int start = 0;
        for (int at = 0; at <= bytes.length; at++) {
            if (at == bytes.length || bytes[at] == '/') {
                if (at > start) {
                    names.add(XdrString.of(Arrays.copyOfRange(bytes, start, at)));
                }
                start = at + 1;
            }
        }
        return names;
    }

    /** The rest of a path after a prefix of whole names; empty if the path does not begin with the prefix. */
    public static Optional<List<XdrString>> withoutPrefix(List<XdrString> prefix, List<XdrString> path) {
        boolean begins =
                path.size() >= prefix.size() && path.subList(0, prefix.size()).equals(prefix);
        return begins ? Optional.of(path.subList(prefix.size(), path.size())) : Optional.empty();
    }

    /** A host as it stands in a URL: an IPv6 address in brackets. */
    public static String bracketed(String host) {
        return host.indexOf(':') < 0 ? host : "[" + host + "]";
    }

    /** The part of the URL before the path: scheme, host and port. */
    String authority() {
        String bracketed = bracketed(host);
        return SCHEME + bracketed + (port.isPresent() ? ":" + port.getAsInt() : "");
    }

    /** The URI, with %XX for every byte of a name that is not an unreserved character. */
    public URI toUri() {
        StringBuilder uri = new StringBuilder(authority());
        for (byte b : join(components)) {
            char c = (char) (b & 0xff);
            boolean plain = c < 0x80 && (Character.isLetterOrDigit(c) || "/-._~".indexOf(c) >= 0);
            uri.append(plain ? String.valueOf(c) : String.format(Locale.ROOT, "%%%02X", (int) c));
        }
        return URI.create(
                options.isEmpty()
                        ? uri.toString()
                        : uri.append('?').append(options).toString());
    }

    /** The URL for messages, without characters that could change the state of a terminal. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(authority());
        for (XdrString component : components) {
            text.append('/').append(RemoteName.printable(component));
        }
        return components.isEmpty() ? text.append('/').toString() : text.toString();
    }
}
