// SPDX-License-Identifier: Apache-2.0
import org.emplace.tests.plugin.Build

new Build(basedir)
    .requireLog('1 XDR file checked')
    .requireOnly('target', 'binding.html')
    .requireText('target/binding.html', 'LOG_LAST')
    .keepTimes('target')
return true
