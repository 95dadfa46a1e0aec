// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.util.Optional;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.UnresolvedLinkException;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.apache.hadoop.hdfs.protocol.SnapshotAccessControlException;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.emplace.samples.nfs.server.store.Store.FileOperation;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;

/** Maps exceptions of HDFS to failures of the protocol. */
final class HdfsFailures {
    private HdfsFailures() {}

    /** Returns the operation's result. */
    static <T> T translated(FileOperation<T> operation) throws IOException {
        try {
            return operation.run();
        } catch (StoreException e) {
            throw e;
        } catch (UnsupportedOperationException e) {
            throw new StoreException(Failure.NOTSUPP, "HDFS does not support this: " + firstLine(e));
        } catch (InvalidPathException e) {
            throw new StoreException(Failure.ACCES, "not a name in HDFS: " + firstLine(e));
        } catch (IOException e) {
            IOException cause = unwrapped(e);
            Optional<Failure> known = isBeingWritten(e) ? Optional.of(Failure.JUKEBOX) : failureOf(cause);
            throw known.isPresent() ? new StoreException(known.get(), firstLine(cause)) : cause;
        }
    }

    private static IOException unwrapped(IOException e) {
        return e instanceof RemoteException remote ? remote.unwrapRemoteException() : e;
    }

    /** Whether somebody else is writing to the file, or has not closed it as far as the name node knows. */
    static boolean isBeingWritten(IOException e) {
        boolean recovering =
                e instanceof RemoteException remote && remote.getClassName().endsWith(".RecoveryInProgressException");
        return recovering || unwrapped(e) instanceof AlreadyBeingCreatedException;
    }

    /** The protocol's failure for an exception. A missing file was there before (STALE), because every name is looked up first. */
    private static Optional<Failure> failureOf(IOException e) {
        if (e instanceof FileNotFoundException) {
            return Optional.of(Failure.STALE);
        } else if (e instanceof SnapshotAccessControlException) {
            return Optional.of(Failure.ROFS);
        } else if (e instanceof AccessControlException || e instanceof java.nio.file.AccessDeniedException) {
            return Optional.of(Failure.ACCES);
        } else if (e instanceof QuotaExceededException) {
            return Optional.of(Failure.DQUOT);
        } else if (e instanceof FileAlreadyExistsException) {
            return Optional.of(Failure.EXIST);
        } else if (e instanceof ParentNotDirectoryException) {
            return Optional.of(Failure.NOTDIR);
        } else if (e instanceof PathIsNotEmptyDirectoryException) {
            return Optional.of(Failure.NOTEMPTY);
        } else if (e instanceof UnresolvedLinkException) {
            return Optional.of(Failure.NOTSUPP);
        } else if (isBelowItself(e)) {
            return Optional.of(Failure.INVAL);
        } else if (isPassing(e)) {
            return Optional.of(Failure.JUKEBOX);
        }
        return Optional.empty();
    }

    /** Whether a directory was to be moved below itself. The name node has no class of exceptions for that. */
    private static boolean isBelowItself(IOException e) {
        return e.getMessage() != null && e.getMessage().contains("is a directory or file under source");
    }

    /** Whether the name node is unavailable for the moment. */
    private static boolean isPassing(IOException e) {
        return e instanceof SafeModeException
                || e instanceof StandbyException
                || e instanceof RetriableException
                || e instanceof ConnectException
                || e instanceof SocketTimeoutException;
    }

    /** Hadoop's messages contain stack traces of its servers. */
    static String firstLine(Exception e) {
        String message = String.valueOf(e.getMessage());
        int end = message.indexOf('\n');
        return e.getClass().getSimpleName() + ": " + (end < 0 ? message : message.substring(0, end));
    }
}
