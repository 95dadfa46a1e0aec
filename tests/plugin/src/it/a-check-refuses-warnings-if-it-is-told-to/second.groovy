// SPDX-License-Identifier: Apache-2.0
import org.emplace.tests.plugin.Build

new Build(basedir).requireLog('which <failOnWarning> forbids').requireOnly('target')
return true
