#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { handOverIfOld } from './hand-over.js'

const [argument] = process.argv.slice(2)
if (argument === '--version') {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  console.log(version)
} else if (argument === undefined) {
  await handOverIfOld()
  // Nothing needs closing until the service handles signals itself.
  const leave = () => process.exit(0)
  process.on('SIGTERM', leave).on('SIGINT', leave)
  await import('./compile-cache.js')
  await import('./small-start.js')
  await import('../src/main.ts')
} else {
  console.error(
    `Parvis takes no arguments, and "${argument}" is one: set it up by its environment or .env, as in PORT=4000 npm start ` +
      '(.env.example lists all settings).',
  )
  process.exit(1)
}
