// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.queuepair;

import org.emplace.rdma.Completion.Status;
import org.emplace.rdma.RdmaException.Reason;

/**
 * The status with which the device completed a request: an {@code ibv_wc_status} and its meaning.
 *
 * @param status for the consumer's completion
 * @param reason why the connection ends, if the request failed
 * @param words for messages
 */
record WorkStatus(Status status, Reason reason, String words) {
    static final WorkStatus SUCCESS = new WorkStatus(Status.SUCCESS, Reason.DISCONNECTED, "success");
    private static final WorkStatus FLUSHED = new WorkStatus(Status.FLUSHED, Reason.DISCONNECTED, "flushed");

    static WorkStatus of(int code, int vendorError) {
        return switch (code) {
            case 0 -> SUCCESS;
            case 1 ->
                new WorkStatus(
                        Status.LOCAL_ERROR, Reason.PEER_VIOLATION, "the peer's Send is longer than the Receive for it");
            case 2, 3, 7 ->
                new WorkStatus(
                        Status.LOCAL_ERROR,
                        Reason.DISCONNECTED,
                        "the device refuses the operation (status " + code + ", vendor error " + vendorError + ")");
            case 4, 8 ->
                new WorkStatus(
                        Status.LOCAL_ERROR,
                        Reason.DISCONNECTED,
                        "the request names memory that is not registered for it");
            case 5 -> FLUSHED;
            case 6 ->
                new WorkStatus(
                        Status.LOCAL_ERROR, Reason.DISCONNECTED, "a memory window could not be bound or invalidated");
            case 9 ->
                new WorkStatus(
                        Status.REMOTE_ERROR, Reason.TERMINATED_BY_PEER, "the peer says that a request was invalid");
            case 10 ->
                new WorkStatus(Status.REMOTE_ERROR, Reason.TERMINATED_BY_PEER, "the peer denies access to its memory");
            case 11 ->
                new WorkStatus(
                        Status.REMOTE_ERROR, Reason.TERMINATED_BY_PEER, "the peer could not carry a request out");
            case 12 -> new WorkStatus(Status.FLUSHED, Reason.DISCONNECTED, "the peer does not answer any more");
            case 13 ->
                new WorkStatus(Status.REMOTE_ERROR, Reason.DISCONNECTED, "the peer has no Receive posted for a Send");
            default ->
                new WorkStatus(
                        Status.LOCAL_ERROR,
                        Reason.DISCONNECTED,
                        "the device reports status " + code + ", vendor error " + vendorError);
        };
    }

    boolean isSuccess() {
        return status == Status.SUCCESS;
    }

    /** Whether the request was flushed because the queue pair had stopped, which does not tell the reason. */
    boolean isFlushed() {
        return equals(FLUSHED);
    }
}
