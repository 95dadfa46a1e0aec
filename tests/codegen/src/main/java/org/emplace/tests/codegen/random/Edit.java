// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.random;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A random protocol before and after an edit.
 *
 * @param what describes the edit
 */
public record Edit(RandomProtocol before, RandomProtocol after, String what) {

    /** A kind of edit: a pattern, and its replacement at one random match. */
    private enum Kind {
        RENAMED("\\b[A-Za-z]\\w+(?=( \\w+)? \\{|<|\\[|;|,\\n)", "$0_now"),
        WIDER("\\bunsigned int\\b", "hyper"),
        STRING("\\bopaque\\b(?= \\w+<)", "string"),
        BOUND("<\\d*>", "<3>"),
        REQUIRED("(?<= )\\*", ""),
        OPTIONAL("(?<=    \\w{1,20} )(?=\\w+;)", "*"),
        MEMBER_MORE("(?<=struct \\w{1,40} \\{\\n)", "    int a_member_more;\\n"),
        ENUMERATOR_MORE("(?<=enum \\w{1,40} \\{\\n)", "    ENUMERATOR_MORE = 4711,\\n"),
        OPEN("(?m)^(?=enum )", "/*@ddp open */ "),
        VALUE("(?m)^(?=typedef )", "/*@ddp value */ "),
        NO_TEXT("(?<=value) text\\b", ""),
        NAMED("(?m)^(?=struct )", "/*@ddp name Named */ "),
        PREFIX("(?m)^(?= *version )", "/*@ddp prefix a */ "),
        PORT("(?m)^(?= *version )", "/*@ddp port 20050 */ "),
        OTHER_PORT("(?<=port )\\w+", "20051"),
        NETID("(?m)^(?= *version )", "/*@ddp netid rdma6 */ "),
        OTHER_NETID("(?<=netid )rdma\\b", "rdma, tcp"),
        BACKWARD("(?m)^(?= *version )", "/*@ddp direction backward */ "),
        NO_ADDRESS("/\\*@ddp (port|netid|direction) \\w+ \\*/", ""),
        ELIGIBLE("(?<=    )(?=(opaque|string) \\w+<)", "/*@ddp eligible */ "),
        NOT_ELIGIBLE("/\\*@ddp eligible as result; size 4096 \\*/", ""),
        LARGER_ITEM("(?<=size )4096", "8192"),
        LIMIT("(?m)(?<=^        )(?=\\w+ \\w+\\(.*\\) = \\d+;$)", "/*@ddp write-chunks 7; reply-size 9 */ "),
        NOTHING("(?m)^(?=const )", "\n");

        private final Pattern pattern;
        private final String replacement;

        Kind(String pattern, String replacement) {
            this.pattern = Pattern.compile(pattern);
            this.replacement = replacement;
        }
    }

    /** The edit of a seed, which ignores compatibility: the first drawn edit whose result can be compiled. */
    public static Edit of(long seed) {
        RandomProtocol before = RandomProtocol.of(seed, Dialect.WHOLE);
        Random random = new Random(seed);
        while (true) {
            Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
            SortedMap<String, String> files = new TreeMap<>(before.files());
            String file = List.copyOf(files.keySet()).get(random.nextInt(files.size()));
            String text = before.files().getOrDefault(file, "");
            List<MatchResult> places = new ArrayList<>();
            kind.pattern.matcher(text).results().forEach(places::add);
            if (places.isEmpty()) {
                continue;
            }
            MatchResult place = places.get(random.nextInt(places.size()));
            if (kind == Kind.RENAMED) {
                Pattern word = Pattern.compile("\\b" + Pattern.quote(place.group()) + "\\b");
                files.replaceAll((name, all) -> word.matcher(all).replaceAll(kind.replacement));
            } else {
                String replaced = kind.replacement.replace("\\n", "\n");
                files.put(file, text.substring(0, place.start()) + replaced + text.substring(place.end()));
            }
            RandomProtocol after = new RandomProtocol(seed, Dialect.WHOLE, files);
            if (after.analysis().meaning().isPresent()) {
                return new Edit(before, after, kind + " " + place.group() + " in " + file + " at " + place.start());
            }
        }
    }

    /** Additions alone: more definitions, files, programs, procedures and arms. */
    public static Edit growth(long seed) {
        Random random = new Random(~seed);
        Edit drawn;
        do {
            ProtocolDraft draft = new ProtocolDraft(seed, Dialect.WHOLE, random);
            RandomProtocol before = draft.finish();
            drawn = new Edit(before, draft.extended(before), "additions");
        } while (drawn.before().hasClashes() || drawn.after().hasClashes());
        return drawn;
    }

    @Override
    public String toString() {
        return what + "\n" + before + "\n\nbecomes\n\n" + after;
    }
}
