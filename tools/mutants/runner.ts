import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** The result of a run: the first file that failed, or the functions each test reached. */
export type Outcome = { failed: string | null; ms: number; reached: Record<string, string[]> }

export type Runner = { run(changed: string, tests: string[]): Promise<Outcome>; close(): Promise<void> }

/**
 * Opens a process that runs tests of a checkout repeatedly and keeps its PostgreSQL, migrated database and
 * compiled code. It is killed after a timeout, and the next run starts another.
 */
export function openRunner(checkout: string, timeoutMs: number): Runner {
  let child: ReturnType<typeof begin> | undefined
  const begin = () =>
    fork(fileURLToPath(new URL('./runner-process.ts', import.meta.url)), {
      cwd: checkout,
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
  const end = async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.disconnect()
    if ((await Promise.race([gone, sleep(20_000, null, { ref: false })])) === null)
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    child = undefined
  }
  return {
    async run(changed, tests) {
      child ??= begin()
      const begun = Date.now()
      child.send({ changed, tests })
      for (;;) {
        const said = await heard(child, timeoutMs)
        if (said === null) break
        if (said !== 'goes on') return said
      }
      await end()
      child = undefined
      return { failed: 'no answer', ms: Date.now() - begun, reached: {} }
    },
    close: end,
  }
}

/** Returns the child's next message; null if it exited or timed out. */
async function heard(child: ChildProcess, timeoutMs: number): Promise<Outcome | 'goes on' | null> {
  const over = new AbortController()
  const { signal } = over
  const message = once(child, 'message', { signal }).then(([said]) => said)
  const exit = once(child, 'exit', { signal }).then(() => null)
  const silence = sleep(timeoutMs, null, { signal })
  for (const one of [message, exit, silence]) one.catch(() => {})
  return Promise.race([message, exit, silence]).finally(() => over.abort())
}
