// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.emplace.compiler.binding.Binding.VersionBinding;
import org.emplace.compiler.compare.Comparison.Change;
import org.emplace.compiler.compare.Comparison;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.model.Target;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.tests.codegen.random.CodedType;
import org.emplace.tests.codegen.random.CompiledProtocol.CodedProcedure;
import org.emplace.tests.codegen.random.CompiledProtocol;
import org.emplace.tests.codegen.random.Edit;
import org.emplace.tests.codegen.random.RandomProtocol;
import org.emplace.tests.codegen.random.RandomValue;
import org.emplace.tests.codegen.random.Seeds;
import org.emplace.xdr.EncodedMessage.ChunkMark;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code xdrc compare} reports a wire break if one side's generated code rejects the other's values or decodes them to others. It reports a binding
 * break if a call or reply that both sides accept has other chunks for one side than for the other, or if the old side's clients do not find the new
 * side's server. Compare must report every break that random values show. Values cannot disprove further reports, because they may not reach the
 * change; they must show most reports.
 */
class ComparedMessagesTest {
    private static final int VALUES = 200;

    private final Seeds seeds = Seeds.ofThisRun(12);
    private int said;
    private int shown;

    @Test
    void whatBreaksMessagesIsSaidToBreakThem(@TempDir Path folder) throws IOException {
        for (long seed = seeds.first(); seed < seeds.first() + seeds.count(); seed++) {
            compare(Edit.of(seed), folder);
        }

        assertThat(said - shown).as("said, but not shown, of %d", said).isLessThanOrEqualTo(1 + said / 4);
    }

    private void compare(Edit edit, Path folder) throws IOException {
        List<Change> changes = Comparison.of(ComparedApiTest.model(edit.before()), ComparedApiTest.model(edit.after()));
        CompiledProtocol old = compiled(edit.before(), folder);
        CompiledProtocol now = compiled(edit.after(), folder);
        List<String> refused = new ArrayList<>();
        List<String> otherBinding = new ArrayList<>(movedServers(edit));
        for (List<Long> numbers : old.procedures().keySet()) {
            CodedProcedure before = Objects.requireNonNull(old.procedures().get(numbers));
            CodedProcedure after = Objects.requireNonNull(now.procedures().get(numbers));
            List<XdrOpaque> arguments = exchange(old, before.arguments(), now, after.arguments(), refused);
            List<XdrOpaque> results = exchange(old, before.results(), now, after.results(), refused);
            for (int i = 0; i < Math.min(arguments.size(), results.size()); i++) {
                Chunks ofOld = chunks(before, arguments.get(i), results.get(i));
                Chunks ofNew = chunks(after, arguments.get(i), results.get(i));
                if (!ofOld.areThoseOf(ofNew)) {
                    otherBinding.add(before.procedure() + ": " + ofOld + ", now " + ofNew);
                }
            }
        }
        requireSaid(edit, changes, Change.Effect.WIRE_BREAKING, refused);
        if (!says(changes, Change.Effect.WIRE_BREAKING)) {
            requireSaid(edit, changes, Change.Effect.BINDING_BREAKING, otherBinding);
        }
    }

    /** The versions whose servers the old side's clients do not find. A client that uses rpcbind finds any port. */
    private static List<String> movedServers(Edit edit) {
        Map<List<Long>, VersionBinding> now = versions(edit.after());
        List<String> moved = new ArrayList<>();
        versions(edit.before()).forEach((numbers, old) -> {
            VersionBinding other = Objects.requireNonNull(now.get(numbers));
            boolean isAtOldPort = old.port().isEmpty() || old.port().equals(other.port());
            if (!isAtOldPort || !old.netids().equals(other.netids()) || old.backward() != other.backward()) {
                moved.add(numbers + " is elsewhere");
            }
        });
        return moved;
    }

    /** The versions by the numbers of program and version, as peers know them: an edit may change names. */
    private static Map<List<Long>, VersionBinding> versions(RandomProtocol protocol) {
        JavaModel meaning = protocol.analysis().meaning().orElseThrow();
        Map<List<Long>, VersionBinding> versions = new HashMap<>();
        meaning.protocol()
                .programs()
                .forEach(program -> program.versions()
                        .forEach(version -> versions.put(
                                List.of(program.number(), version.number()),
                                Objects.requireNonNull(meaning.binding()
                                        .versions()
                                        .get(new Target.Version(program.name(), version.name()))))));
        return versions;
    }

    private void requireSaid(Edit edit, List<Change> changes, Change.Effect effect, List<String> seen) {
        if (says(changes, effect)) {
            said++;
            shown += seen.isEmpty() ? 0 : 1;
        } else {
            assertThat(seen).as("not said to be %s: %s", effect.word(), edit).isEmpty();
        }
    }

    private static boolean says(List<Change> changes, Change.Effect effect) {
        return changes.stream().anyMatch(each -> each.effect() == effect);
    }

    private static CompiledProtocol compiled(RandomProtocol protocol, Path folder) throws IOException {
        return CompiledProtocol.of(List.of(protocol), Files.createTempDirectory(folder, "protocol"))
                .get(0);
    }

    /**
     * Encodes random values with each side's code and decodes them with the other's.
     *
     * @param refused gets a line for each value that the other side rejects or decodes to another value
     * @return the encodings of all other values
     */
    private static List<XdrOpaque> exchange(
            CompiledProtocol old,
            Optional<CodedType<?>> ofOld,
            CompiledProtocol now,
            Optional<CodedType<?>> ofNew,
            List<String> refused) {
        if (ofOld.isEmpty() && ofNew.isEmpty()) {
            return List.of(XdrOpaque.EMPTY);
        }
        List<XdrOpaque> taken = new ArrayList<>();
        send(old, ofOld.orElseThrow(), ofNew.orElseThrow(), taken, refused);
        send(now, ofNew.orElseThrow(), ofOld.orElseThrow(), taken, refused);
        return taken;
    }

    /** Sends values. Of an open enum only named values are sent: others are accepted but are not part of the protocol. */
    private static void send(
            CompiledProtocol from,
            CodedType<?> sent,
            CodedType<?> expected,
            List<XdrOpaque> taken,
            List<String> refused) {
        Random random = new Random(from.source().seed());
        for (int i = 0; i < VALUES; i++) {
            RandomValue value = RandomValue.of(sent.types(), from.meaning(), random);
            try {
                String text = expected.recoded(value.encoding()).text();
                if (text.equals(value.text())) {
                    taken.add(value.encoding());
                } else {
                    refused.add(sent + ":" + value.text() + " is decoded as" + text);
                }
            } catch (IOException e) {
                refused.add(sent + ":" + value.text() + ": " + e.getMessage());
            }
        }
    }

    /**
     * The chunks of a call and its reply.
     *
     * @param inArguments positions and lengths of the arguments' eligible items
     * @param sizes of the Write chunks that a requester offers
     * @param reply the largest reply that a requester expects, in bytes
     */
    private record Chunks(
            List<String> inArguments,
            List<String> inResults,
            List<Long> sizes,
            long reply,
            int readLimit,
            int writeLimit) {

        /** Whether the chunks are equal. A limit on chunks does not matter to a side that has no chunks. */
        boolean areThoseOf(Chunks other) {
            return inArguments.equals(other.inArguments)
                    && inResults.equals(other.inResults)
                    && sizes.equals(other.sizes)
                    && reply == other.reply
                    && (readLimit == other.readLimit || inArguments.isEmpty())
                    && (writeLimit == other.writeLimit || inResults.isEmpty());
        }
    }

    private static Chunks chunks(CodedProcedure coded, XdrOpaque arguments, XdrOpaque results) throws XdrException {
        return chunks(coded.procedure(), coded, arguments, results);
    }

    /** The chunks of a procedure's call, whose arguments the coded type decodes. */
    @SuppressWarnings({"unchecked", "NullAway"}) // Void has no other value.
    private static <A, R> Chunks chunks(
            Procedure<A, R> procedure, CodedProcedure coded, XdrOpaque arguments, XdrOpaque results)
            throws XdrException {
        ProcedureBinding<A, R> binding = procedure.binding();
        A value = (A) (coded.arguments().isPresent() ? coded.arguments().get().decode(arguments) : null);
        return new Chunks(
                binding.argumentsEligible() ? items(coded.arguments(), arguments) : List.of(),
                binding.resultsEligible() ? items(coded.results(), results) : List.of(),
                Wire.sizes(procedure, value),
                binding.replyBound().applyAsLong(value),
                binding.readChunkLimit(),
                binding.writeChunkLimit());
    }

    private static List<String> items(Optional<CodedType<?>> type, XdrOpaque encoding) throws XdrException {
        return type.isPresent() ? items(type.get(), encoding) : List.of();
    }

    private static <T> List<String> items(CodedType<T> type, XdrOpaque encoding) throws XdrException {
        return type.encoded(type.decode(encoding)).marks().stream()
                .filter(ChunkMark::eligible)
                .map(each -> each.streamOffset() + "+" + each.length())
                .toList();
    }
}
