#!/usr/bin/env node
import { handOverIfOld } from './hand-over.js'

await handOverIfOld()
await import('./compile-cache.js')
const { runCommand } = await import('../src/cli/commands.ts')
const { readEnvFile } = await import('../src/platform/config/config.ts')
const { sentenceOf } = await import('../src/platform/config/start-error.ts')
try {
  readEnvFile()
  // An open standard input would keep the process alive.
  process.exit(await runCommand(process.argv.slice(2)))
} catch (error) {
  console.error(sentenceOf(error))
  process.exit(2)
}
