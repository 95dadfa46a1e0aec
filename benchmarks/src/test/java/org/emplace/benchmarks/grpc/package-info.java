// SPDX-License-Identifier: Apache-2.0
@NullMarked
package org.emplace.benchmarks.grpc;

import org.jspecify.annotations.NullMarked;
