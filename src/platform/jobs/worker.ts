import { createBell } from './bell.ts'
import type { Handler } from './job.ts'
import type { Pace } from './pace.ts'
import { listReadyQueues, updateAbandoned } from './queries.ts'
import { createRunning, type RunningDeps } from './running.ts'

type Deps = Omit<RunningDeps, 'oneEnded'> & { pace: Pace; isPaused: () => boolean }
export type Worker = { wake(): void; stop(): Promise<void> }

/**
 * Takes jobs as they come due and runs them. One look per turn at all queues, where pg-boss's own workers would each
 * poll theirs; and on stop jobs are handed back, where pg-boss would fail them.
 */
export function startWorker(deps: Deps, handlers: Handler[]): Worker {
  const { boss, db, log, pace } = deps
  const taking = createBell()
  const tending = createBell()
  let stopping = false
  let tendingEnds = false
  let calmSince = performance.now()
  const troubled = (error: unknown) => {
    calmSince = performance.now()
    deps.grumble(error)
  }
  const running = createRunning({ ...deps, grumble: troubled, oneEnded: taking.ring })

  async function take() {
    const open = handlers.filter((handler) => running.room(handler) > 0)
    if (open.length === 0 || deps.isPaused()) return
    const ready = await listReadyQueues(
      db,
      open.map(({ job }) => job.name),
    )
    for (const handler of open.filter(({ job }) => ready.includes(job.name))) {
      if (stopping) return
      const batchSize = running.room(handler)
      for (const taken of await boss.fetch<object>(handler.job.name, { batchSize, includeMetadata: true })) {
        running.run(handler, taken)
      }
    }
  }

  async function tend() {
    await running.beat()
    // After an outage of the database everyone is silent: they get the time to be heard again.
    if (stopping || performance.now() - calmSince < pace.deadAfterMs) return
    for (const { name, id } of await updateAbandoned(db, pace.deadAfterMs)) {
      log.warn({ job: name, id }, 'the worker of a job has gone silent: the job is taken over')
      taking.ring()
    }
  }

  async function repeat(
    act: () => Promise<void>,
    bell: typeof taking,
    everyMs: number,
    ended: () => boolean,
  ) {
    while (!ended()) {
      await act().catch(troubled)
      if (!ended()) await bell.rest(everyMs)
    }
  }

  const loops = [
    repeat(take, taking, pace.pollMs, () => stopping),
    repeat(tend, tending, pace.beatMs, () => tendingEnds),
  ] as const
  return {
    wake: taking.ring,
    async stop() {
      stopping = true
      running.abort()
      taking.ring()
      await loops[0]
      await running.end(pace.graceMs).catch(troubled)
      tendingEnds = true
      tending.ring()
      await loops[1]
    },
  }
}
