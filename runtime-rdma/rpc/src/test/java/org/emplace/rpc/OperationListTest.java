// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrValue;
import org.junit.jupiter.api.Test;

class OperationListTest {
    private final OperationList<String, Element> operations = new OperationList<>("EDIT", Element::status, Status.OK);
    private final CompletableFuture<List<Element>> reply = new CompletableFuture<>();

    private enum Status implements XdrValue {
        OK,
        BROKEN;

        @Override
        public void encode(XdrEncoder out) {
            throw new UnsupportedOperationException("is never sent");
        }
    }

    private sealed interface Element extends XdrValue {
        Status status();

        @Override
        default void encode(XdrEncoder out) {
            status().encode(out);
        }
    }

    private record Found(Status status, String title) implements Element {}

    private record Rotated(Status status) implements Element {}

    /** A call that the test completes. */
    private record Call(CompletableFuture<List<Element>> reply) implements RpcCall<List<Element>> {
        @Override
        public CompletionStage<List<Element>> completion() {
            return reply.minimalCompletionStage();
        }

        @Override
        public List<Element> await() throws RpcException, InterruptedException {
            try {
                return reply.get();
            } catch (ExecutionException failed) {
                throw new RpcException(Kind.DISCONNECTED, "failed", failed);
            }
        }

        @Override
        public void cancel() {
            reply.cancel(false);
        }
    }

    private static final Destination DESTINATION = Destination.allocate();

    private OperationResult<String> find() {
        return operations.add("FIND", "find", Found.class, Found::title, new OperationList.Place(0, DESTINATION));
    }

    private OperationResult<Void> rotate() {
        return operations.add("ROTATE", "rotate", Rotated.class, each -> null);
    }

    private RpcCall<List<Element>> start() {
        return operations.start(list -> new Call(reply), elements -> elements);
    }

    private void answer(Element... elements) throws Exception {
        reply.complete(List.of(elements));
        start().await();
    }

    @Test
    void operationsAreSentInOrderWithAllDestinations() {
        find();
        rotate();
        find();

        assertThat(operations.arguments()).containsExactly("find", "rotate", "find");
        Destinations destinations = operations.destinations();
        assertThat(destinations.count(0)).isEqualTo(3);
        assertThat(destinations.get(0, 0)).isSameAs(DESTINATION);
        assertThat(destinations.get(0, 1)).isNull();
        assertThat(destinations.get(0, 2)).isSameAs(DESTINATION);
    }

    @Test
    void eachOperationGetsTheResultAtItsIndex() throws Exception {
        OperationResult<String> first = find();
        OperationResult<Void> second = rotate();
        OperationResult<String> third = find();

        answer(new Found(Status.OK, "a"), new Rotated(Status.OK), new Found(Status.OK, "b"));

        assertThat(first.get()).isEqualTo("a");
        assertThat(second.get()).isNull();
        assertThat(second.failure()).isEmpty();
        assertThat(third.get()).isEqualTo("b");
    }

    @Test
    void aFailedOperationThrowsItsFailure() throws Exception {
        OperationResult<Void> first = rotate();
        OperationResult<String> second = find();

        Found broken = new Found(Status.BROKEN, "");
        answer(new Rotated(Status.OK), broken);

        assertThat(first.failure()).isEmpty();
        assertThatExceptionOfType(OperationException.Failed.class)
                .isThrownBy(second::get)
                .withMessage("FIND (operation 2 of EDIT) failed with BROKEN")
                .satisfies(failure -> {
                    assertThat(failure.operation()).isEqualTo("FIND");
                    assertThat(failure.status()).isEqualTo(Status.BROKEN);
                    assertThat(failure.result()).isSameAs(broken);
                });
    }

    @Test
    void operationsAfterAFailedOneWereNotReached() throws Exception {
        rotate();
        OperationResult<String> second = find();

        answer(new Rotated(Status.BROKEN));

        assertThatExceptionOfType(OperationException.NotReached.class)
                .isThrownBy(second::get)
                .withMessage(
                        "FIND (operation 2 of EDIT) was not reached: ROTATE (operation 1 of EDIT) failed with BROKEN")
                .withCauseInstanceOf(OperationException.Failed.class);
        assertThat(second.failure()).containsInstanceOf(OperationException.NotReached.class);
    }

    @Test
    void operationsOfARejectedCallWereNotReached() throws Exception {
        OperationResult<String> only = find();

        answer();

        assertThatExceptionOfType(OperationException.NotReached.class)
                .isThrownBy(only::get)
                .withMessage("FIND (operation 1 of EDIT) was not reached")
                .withNoCause();
    }

    @Test
    void anOperationMayFailWithAResultOfAnotherType() throws Exception {
        OperationResult<String> only = find();

        answer(new Rotated(Status.BROKEN));

        assertThatExceptionOfType(OperationException.Failed.class).isThrownBy(only::get);
    }

    @Test
    void moreResultsThanOperationsAreABadReply() {
        find();

        assertBadReply("2 results for 1 operations", new Found(Status.OK, ""), new Found(Status.OK, ""));
    }

    @Test
    void aResultOfAnotherTypeIsABadReply() {
        find();

        assertBadReply("FIND (operation 1 of EDIT) has a result of type Rotated", new Rotated(Status.OK));
    }

    @Test
    void resultsAfterAFailureAreABadReply() {
        OperationResult<String> first = find();
        rotate();

        assertBadReply(
                "FIND (operation 1 of EDIT) failed with BROKEN, but the server ran further operations",
                new Found(Status.BROKEN, ""),
                new Rotated(Status.OK));
        assertThatIllegalStateException().isThrownBy(first::get);
    }

    private void assertBadReply(String why, Element... elements) {
        reply.complete(List.of(elements));
        RpcCall<List<Element>> call = start();

        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(call::await)
                .withMessage("EDIT: bad reply: " + why)
                .satisfies(failure -> assertThat(failure.kind()).isEqualTo(Kind.BAD_REPLY));
        assertThat(call.completion().toCompletableFuture())
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(RpcException.class);
    }

    @Test
    void aResultIsAvailableWhenTheCallHasCompleted() {
        OperationResult<String> only = find();
        RpcCall<List<Element>> call = start();

        assertThatIllegalStateException()
                .isThrownBy(only::get)
                .withMessageStartingWith("FIND (operation 1 of EDIT) has no result");
        CompletableFuture<String> title = call.completion()
                .thenApply(results -> only.failure().isEmpty() ? "found" : "not found")
                .toCompletableFuture();
        reply.complete(List.of(new Found(Status.OK, "a")));

        assertThat(title).isCompletedWithValue("found");
    }

    @Test
    void aCallThatFailedHasNoResults() {
        OperationResult<String> only = find();
        RpcCall<List<Element>> call = start();
        reply.completeExceptionally(new RpcException(Kind.DISCONNECTED, "over"));

        assertThatExceptionOfType(RpcException.class).isThrownBy(call::await);
        assertThatIllegalStateException().isThrownBy(only::get);
    }

    @Test
    void aCallCanBeMadeOnlyOnce() {
        start();

        assertThatIllegalStateException()
                .isThrownBy(this::start)
                .withMessage("EDIT has already been called: build another call");
        assertThatIllegalStateException().isThrownBy(this::find);
    }
}
