import type { FastifyBaseLogger } from 'fastify'

/** Logs troubles that come back every second, each kind once a minute: a database that is away fills no disk. */
export function createGrumble(log: Pick<FastifyBaseLogger, 'warn'>, everyMs = 60_000) {
  const kinds = new Map<string, { saidAt: number; unsaid: number }>()
  return (error: unknown) => {
    const { code, message } = error as { code?: unknown; message?: unknown }
    const kind = String(code ?? message)
    const known = kinds.get(kind)
    const now = performance.now()
    if (known !== undefined && now - known.saidAt < everyMs) {
      known.unsaid++
      return
    }
    if (kinds.size >= 100) kinds.clear()
    kinds.set(kind, { saidAt: now, unsaid: 0 })
    log.warn(
      { err: error, alsoBefore: known?.unsaid ?? 0 },
      'background jobs are in trouble and go on trying',
    )
  }
}
