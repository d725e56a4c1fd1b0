#!/usr/bin/env node
import './node-version.js'
import './compile-cache.js'

const { runCommand } = await import('../src/cli/commands.ts')
const { readEnvFile } = await import('../src/platform/config.ts')
const { sentenceOf } = await import('../src/platform/start-error.ts')
try {
  readEnvFile()
  // An unread standard input would keep the process.
  process.exit(await runCommand(process.argv.slice(2)))
} catch (error) {
  console.error(sentenceOf(error))
  process.exit(2)
}
