import { opens } from '../../platform/access/areas.ts'
import type { SignedIn } from '../../platform/access/caller.ts'
import { withTimeout } from '../../platform/database/timeout.ts'
import type { Deps, Figures } from '../../platform/module.ts'

type Dashboard = Record<string, unknown>
type Options = { timeoutMs: number; atOnce: number }
const defaults: Options = { timeoutMs: 1_500, atOnce: 3 }

/** Omits figures of areas that the caller's roles do not open. */
export const figuresFor = ({ user }: SignedIn, figures: Figures, dashboard: Dashboard): Dashboard =>
  Object.fromEntries(
    Object.entries(dashboard).filter(([name]) => {
      const area = figures[name]?.area
      return area === undefined || opens(user.roles, area)
    }),
  )

/**
 * Reads the dashboard; omits figures that fail or time out. Concurrent requests share one read, so slow or
 * locked tables occupy at most three connections.
 */
export function dashboardReader(
  { reads, log, config }: Pick<Deps, 'reads' | 'log' | 'config'>,
  figures: Figures,
  { timeoutMs, atOnce }: Options = defaults,
): () => Promise<Dashboard> {
  let underWay: Promise<Dashboard> | null = null

  async function readAll(): Promise<Dashboard> {
    const dashboard: Dashboard = {}
    const waiting = Object.entries(figures)
    const readInTurn = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [name, { read }] = next
        try {
          dashboard[name] = await withTimeout(reads, timeoutMs, (tx) => read(tx, config))
        } catch (err) {
          log.warn({ err, block: name }, 'a figure of the dashboard could not be read')
        }
      }
    }
    await Promise.all(Array.from({ length: atOnce }, readInTurn))
    return dashboard
  }

  return () => {
    underWay ??= readAll().finally(() => {
      underWay = null
    })
    return underWay
  }
}
