import type { FastifyBaseLogger } from 'fastify'

/** Logs recurring problems once a minute per kind, so that an outage of the database does not fill the disk. */
export function createLogOnce(log: Pick<FastifyBaseLogger, 'warn'>, everyMs = 60_000) {
  const kinds = new Map<string, { loggedAt: number; unlogged: number }>()
  return (error: unknown) => {
    const { code, message } = error as { code?: unknown; message?: unknown }
    // pg-boss appends the name of the worker that met the problem.
    const kind = String(code ?? message).replace(/ \(Queue: .*/, '')
    const known = kinds.get(kind)
    const now = performance.now()
    if (known !== undefined && now - known.loggedAt < everyMs) {
      known.unlogged++
      return
    }
    if (kinds.size >= 100) kinds.clear()
    kinds.set(kind, { loggedAt: now, unlogged: 0 })
    log.warn({ err: error, alsoBefore: known?.unlogged ?? 0 }, 'background jobs failed: retrying')
  }
}
