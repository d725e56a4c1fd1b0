import { type AttemptDeps, makeAttempt } from './attempt.ts'
import { superviseWhenCalm } from './beyond-pg-boss.ts'
import type { Handler } from './job.ts'
import type { Timing } from './timing.ts'

export type Workers = { wake(queue: string): void; stop(): Promise<void> }

/** Starts as many pg-boss workers per kind of job as may run concurrently. */
export async function startWorkers(
  deps: AttemptDeps & { timing: Timing },
  handlers: Handler[],
): Promise<Workers> {
  const { boss, timing } = deps
  const stopping = new AbortController()
  const stop = { signal: stopping.signal, graceMs: timing.graceMs }
  const options = {
    includeMetadata: true,
    pollingIntervalSeconds: timing.pollSeconds,
    heartbeatRefreshSeconds: timing.touchSeconds,
  } as const
  const ids = new Map<string, string[]>()
  for (const handler of handlers) {
    const { name, settings } = handler.job
    const own: string[] = []
    ids.set(name, own)
    for (let n = 0; n < settings.concurrency; n++) {
      const id: string = await boss.work(name, options, async (jobs) => {
        for (const job of jobs) await makeAttempt(deps, handler, job, stop)
        // Looks for the next job immediately instead of at the next poll.
        boss.notifyWorker(id)
      })
      own.push(id)
    }
  }
  const supervision = superviseWhenCalm(boss, timing)
  return {
    wake(queue) {
      for (const id of ids.get(queue) ?? []) boss.notifyWorker(id)
    },
    async stop() {
      supervision.stop()
      stopping.abort(new Error('the service stops'))
      await Promise.all([...ids.keys()].map((name) => boss.offWork(name)))
    },
  }
}
