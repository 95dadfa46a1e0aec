// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.compiler.binding.ChunkPlan.EligibleItem;
import org.emplace.compiler.binding.ChunkPlan.Size;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.XdrType;

/**
 * Finds out whether a requester knows, before the reply arrives, which Write chunk takes which result. By default the n-th eligible result that is
 * present takes the n-th chunk. If a responder may omit a result, later results move up (RFC 8166 section 6).
 */
public final class WriteListAmbiguity {

    private final Protocol protocol;
    private final XdrType result;

    private WriteListAmbiguity(Protocol protocol, XdrType result) {
        this.protocol = protocol;
        this.result = result;
    }

    /**
     * A choice of the responder.
     *
     * @param place the path of the union, optional-data or array
     * @param taken a description of a reply with the item
     * @param otherwise a description of a reply without it
     */
    private record Choice(String place, String taken, String otherwise) {}

    /** Describes a reply in which a result lands in a chunk that was offered for another one; empty if there is none. */
    public static Optional<String> example(Protocol protocol, XdrType result, List<EligibleItem> items) {
        boolean bySameIndex = items.stream()
                .allMatch(item -> item.size() instanceof Size.FromElements || item.size() instanceof Size.PerElement);
        return bySameIndex ? Optional.empty() : new WriteListAmbiguity(protocol, result).example(items);
    }

    private Optional<String> example(List<EligibleItem> items) {
        for (int second = 0; second < items.size(); second++) {
            List<Choice> choices = choices(items.get(second).path());
            for (int first = 0; first < second; first++) {
                List<Choice> missing = new ArrayList<>(choices(items.get(first).path()));
                missing.removeAll(choices);
                if (!missing.isEmpty()) {
                    return Optional.of(movedUp(first, items.get(first), items.get(second), missing.get(0), choices));
                }
            }
            Optional<String> skipped = skipped(items.get(second), choices);
            if (skipped.isPresent()) {
                return skipped;
            }
        }
        return Optional.empty();
    }

    private static String movedUp(
            int first, EligibleItem offered, EligibleItem landing, Choice missing, List<Choice> ofSecond) {
        String reply = ofSecond.stream()
                .filter(choice -> choice.place().equals(missing.place()))
                .map(Choice::taken)
                .findFirst()
                .orElse(missing.otherwise());
        return "in a reply where " + reply + ", `" + name(landing) + "` lands in Write chunk " + (first + 1)
                + ", which was offered for `" + name(offered) + "`";
    }

    /** Whether some elements of one array may lack the item. */
    private static Optional<String> skipped(EligibleItem item, List<Choice> choices) {
        for (int i = 0; i + 1 < choices.size(); i++) {
            if (choices.get(i).taken().endsWith("has elements")) {
                return Optional.of("in a reply where in the first element of `"
                        + choices.get(i).place() + "` "
                        + choices.get(i + 1).otherwise() + ", `" + name(item)
                        + "` of the second element lands in Write chunk 1, which was offered for the first");
            }
        }
        return Optional.empty();
    }

    private static String name(EligibleItem item) {
        return "results." + String.join(".", item.path()).replace(".[]", "[]");
    }

    /** The choices on the path to an item. */
    private List<Choice> choices(List<String> path) {
        List<Choice> choices = new ArrayList<>();
        String place = "results";
        XdrType at = protocol.resolve(result);
        int next = 0;
        while (next < path.size()) {
            if (at instanceof XdrType.Optional optional) {
                // The elements of a list are the next step of the path.
                boolean isList = path.get(next).equals(Occurrence.ELEMENTS);
                String taken = "`" + place + "` " + (isList ? "has elements" : "is present");
                choices.add(new Choice(place, taken, "`" + place + "` is " + (isList ? "empty" : "absent")));
                at = protocol.resolve(optional.element());
            } else if (at instanceof XdrType.Array array) {
                if (array instanceof XdrType.VariableArray) {
                    choices.add(new Choice(place, "`" + place + "` has elements", "`" + place + "` is empty"));
                }
                next++;
                at = protocol.resolve(array.element());
            } else {
                TypeDefinition holder = protocol.type(((XdrType.Reference) at).name());
                String member = path.get(next++);
                if (member.equals(Occurrence.ELEMENTS)) {
                    member = path.get(next++);
                }
                if (holder instanceof TypeDefinition.Union union) {
                    choices.add(arm(union, member, place));
                }
                place = place + "." + member;
                at = protocol.resolve(holder.member(member).orElseThrow().type());
            }
        }
        return choices;
    }

    private static Choice arm(TypeDefinition.Union union, String member, String place) {
        String discriminant = "`" + place + "." + union.discriminant().name() + "`";
        Optional<String> label = union.arms().stream()
                .filter(arm ->
                        arm.field().filter(field -> field.name().equals(member)).isPresent())
                .map(arm -> arm.cases().get(0).label())
                .findFirst();
        return new Choice(
                place,
                discriminant + " is " + label.orElse("none of the cases"),
                discriminant + " is " + label.map(text -> "not " + text).orElse("one of the cases"));
    }
}
