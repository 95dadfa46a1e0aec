// SPDX-License-Identifier: Apache-2.0
import org.emplace.tests.plugin.Build

new Build(basedir)
    .requireOnly('target/first')
    .requireOnly('target/second', 'q/Constants.java')
    .requireText('target/second/q/Constants.java', 'LENGTH = 6')
return true
