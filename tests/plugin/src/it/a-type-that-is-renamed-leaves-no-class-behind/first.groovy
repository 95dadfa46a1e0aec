// SPDX-License-Identifier: Apache-2.0
import org.emplace.tests.plugin.Build

new Build(basedir).requireOnly('target/classes', 'p/Event.class')
return true
