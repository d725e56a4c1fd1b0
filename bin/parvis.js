#!/usr/bin/env node
import './node-version.js'
import './compile-cache.js'

// Until the service listens for itself nothing has begun: a signal finds nothing to close.
const leave = () => process.exit(0)
process.on('SIGTERM', leave).on('SIGINT', leave)

await import('../src/main.ts')
