#!/usr/bin/env node
import './node-version.js'
import './compile-cache.js'

const { runCommand } = await import('../src/cli/commands.ts')
// An unread standard input would keep the process.
process.exit(await runCommand(process.argv.slice(2)))
