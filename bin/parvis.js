#!/usr/bin/env node
import './node-version.js'
import './compile-cache.js'
import './small-start.js'
import { readFileSync } from 'node:fs'

// Until the service listens for itself nothing has begun: a signal finds nothing to close.
const leave = () => process.exit(0)
process.on('SIGTERM', leave).on('SIGINT', leave)

const [argument] = process.argv.slice(2)
if (argument === undefined) await import('../src/main.ts')
else if (argument === '--version') {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  console.log(version)
} else {
  console.error(
    `Parvis takes no arguments, and "${argument}" is one: set it up by its environment or .env, as in PORT=4000 npm start ` +
      '(.env.example lists all settings).',
  )
  process.exit(1)
}
