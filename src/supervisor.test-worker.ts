import { type SupervisorTimes, supervise } from './supervisor.ts'

/**
 * A supervisor by itself, for supervisor.test.ts: `node supervisor.test-worker.ts <script> <times as JSON>`. It prints a line
 * of JSON per log entry, and at last the error that it ends with.
 */
const [script, times] = process.argv.slice(2) as [string, string]
const print = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)
const write = (fields: object, message?: string) => print({ ...fields, message })
const { start, restart, close } = supervise({
  count: 2,
  env: (number) => ({ ...process.env, PARVIS_INSTANCE: `${number}` }),
  log: { info: write, error: write } as never,
  script,
  times: JSON.parse(times) as Partial<SupervisorTimes>,
})
// As the embedded PostgreSQL does. A signal alone does not keep a process alive until it is handled.
const keepsAlive = setInterval(() => {}, 60_000)
process.once('SIGTERM', async () => {
  await close().then(
    () => print({ closed: true }),
    (error: Error) => print({ closed: false, reason: error.message }),
  )
  clearInterval(keepsAlive)
})
process.on('SIGUSR2', () => void restart())
await start().catch((error: Error) => {
  print({ refused: error.message })
  clearInterval(keepsAlive)
})
