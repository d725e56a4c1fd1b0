import { createWorkers, type WorkerTimes } from './workers.ts'

/**
 * A primary process by itself, for workers.test.ts: `node crash-loop.test-worker.ts <script> <times as JSON>`. It prints a
 * line of JSON per log entry, and at last the error that it ends with.
 */
const [script, times] = process.argv.slice(2) as [string, string]
const print = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)
const write = (fields: object, message?: string) => print({ ...fields, message })
const workers = createWorkers({
  count: 2,
  setup: () => ({
    instance: 'test',
    secrets: null,
    secondFactor: 'none',
    webAppFolder: null,
    database: { service: {}, direct: {}, isPooled: false, folder: null },
  }),
  log: { info: write, error: write } as never,
  onEnded: () => {},
  script,
  times: JSON.parse(times) as Partial<WorkerTimes>,
})
// As the database pool of an instance does. A signal alone does not keep a process alive until it is handled.
const keepsAlive = setInterval(() => {}, 60_000)
process.once('SIGTERM', async () => {
  await workers.close().then(
    () => print({ closed: true }),
    (error: Error) => print({ closed: false, reason: error.message }),
  )
  clearInterval(keepsAlive)
})
process.on('SIGHUP', () => void workers.restart())
await workers.start().catch((error: Error) => {
  print({ refused: error.message })
  clearInterval(keepsAlive)
})
