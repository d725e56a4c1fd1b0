import { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { modules } from '../app.ts'
import { openApp, openParts, openWebApp } from '../parts.ts'
import { readConfig, withStoredSecrets } from '../platform/config/config.ts'
import { sentenceOf } from '../platform/config/start-error.ts'
import { workerPools } from '../platform/database/pools/pools.ts'
import { createLog, sharedOutput } from '../platform/log/log.ts'
import { createStop, type Opened, runUntilStopped } from '../stop.ts'
import { boundsOfWorker, connectionsPerAddress } from './bounds.ts'
import type { FromWorker, Setup, ToWorker } from './messages.ts'

/** Shorter than the primary process waits for its workers. */
const closingMs = 8_000
/** How long a retired worker waits for idle connections: most clients and proxies have closed theirs by then. */
const retiringMs = 30_000

const { stop, ask: stopBecauseOf } = createStop()
// Ctrl-C and `kill` of a group reach every process; the primary one decides what becomes of its workers.
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.removeAllListeners(name)
  process.on(name, () => {})
}

/** Runs one of several workers: it serves requests, and everything else is done by the primary process. */
async function start(opened: Opened): Promise<() => void> {
  const { instance, number, database, secrets, secondFactor, webAppFolder } = await receiveSetup()
  const settings = readConfig(modules, process.env, { needsSessionKey: true })
  const secretOf = secrets && ((name: string) => secrets[name] ?? '')
  const config = { ...withStoredSecrets(settings, modules, secretOf), secondFactor }
  config.maxConnectionsPerAddress = connectionsPerAddress(config)
  const log = createLog(config.logLevel, sharedOutput(), number)
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a rejected promise was not handled'))

  const silent = { warn() {}, info() {} }
  const parts = await openParts({ config, database, log, opened, limits: workerPools, diskLog: silent })
  const { registry } = parts
  opened(async () => send({ kind: 'last-measured', snapshot: await registry.getMetricsAsJSON() }))
  const webApp = openWebApp(parts)
  // Before it listens: otherwise `/backoffice/` would return 503 at each replacement.
  if (webAppFolder !== null) await webApp?.load(webAppFolder)
  const limits = boundsOfWorker(config)
  const { server, drain, listen } = await openApp(parts, { webApp, instance, limits })
  const url = await listen()

  /** Accepts no further connections; those that are open are closed after their next response. */
  async function retire() {
    drain.retire()
    // Not that of the HTTP server, which would close idle connections on which a request may just arrive.
    const closed = new Promise((resolve) => Server.prototype.close.call(server.server, resolve))
    await Promise.race([closed, sleep(retiringMs)])
    stopBecauseOf('SIGHUP')
  }
  receive((message) => {
    if (message.kind === 'stop') stopBecauseOf('SIGTERM')
    if (message.kind === 'announce') drain.announce()
    if (message.kind === 'retire') void retire()
    if (message.kind === 'web-app-built') void webApp?.load(message.folder)
    if (message.kind === 'measure')
      void registry
        .getMetricsAsJSON()
        .then((snapshot) => send({ kind: 'measured', request: message.request, snapshot }))
  })
  // Restores V8's default, which bin/small-start.js lowered.
  setFlagsFromString('--semi-space-growth-factor=2')
  await send({ kind: 'ready', url })
  return () => {}
}

async function receiveSetup(): Promise<Setup> {
  const { promise, resolve } = Promise.withResolvers<Setup>()
  receive((message) => {
    if (message.kind === 'setup') resolve(message.setup)
  })
  await send({ kind: 'started' })
  return promise
}

function receive(handle: (message: ToWorker) => void): void {
  process.on('message', handle)
}

/** Resolves once the message has left; a primary process that is gone ends this one anyway. */
function send(message: FromWorker): Promise<void> {
  return new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()))
}

try {
  await runUntilStopped(start, { stop, closingMs })
} catch (error) {
  await send({ kind: 'failed', reason: sentenceOf(error) })
  process.exit(1)
}
