import Type from 'typebox'
import { opens } from '../../platform/access/areas.ts'
import type { SignedIn } from '../../platform/access/caller.ts'
import { withTimeout } from '../../platform/database/timeout.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { maxCountedOfList } from '../../platform/http/listing/paging.ts'
import { list, nullable, ResponseTimestamp, record, titled } from '../../platform/http/validation/schemas.ts'
import type { Deps, Figures, Waiting } from '../../platform/module.ts'
import { countWaiting, waitingIn } from './counts.ts'
import { dailyCountsOf, dayOf, daysOf, readSeries, SeriesQuery } from './series.ts'

/** Schema of the dashboard: flat, without `data`. Figures that fail or time out are omitted. */
function dashboardOf(figures: Figures) {
  const fields = Object.entries(figures).map(([name, { schema }]) => [name, Type.Optional(schema)] as const)
  return titled('Dashboard', Object.fromEntries(fields))
}

const Count = titled('WaitingCount', {
  count: Type.Integer({ examples: [12] }),
  oldest_at: nullable(ResponseTimestamp('Since when the oldest waits')),
})

/** Schema with a field for each kind of work; areas that the caller's roles do not open are omitted. */
const countsOf = (waiting: readonly Waiting[]) =>
  titled('WaitingCounts', Object.fromEntries(waiting.map(({ key }) => [key, Type.Optional(Count)])))

export function dashboardAdminRoutes(scope: SignedInScope, deps: Deps): void {
  const figures: Figures = Object.assign({}, ...deps.modules.map(({ office }) => office?.figures))
  const readDashboard = dashboardReader(deps, figures)

  scope.get(
    '/admin/dashboard',
    {
      schema: {
        operationId: 'getDashboard',
        summary:
          "Totals; one that cannot be read in time is left out, as are those of areas that the caller's roles do not open",
        response: { 200: dashboardOf(figures) },
      },
    },
    async ({ caller }) => figuresFor(caller, figures, await readDashboard()),
  )

  const counts = dailyCountsOf(deps.modules)

  scope.get(
    '/admin/dashboard/series',
    {
      schema: {
        operationId: 'getDashboardSeries',
        summary: 'Counts per day, oldest first, today last',
        querystring: SeriesQuery,
        response: { 200: list(dayOf(counts)) },
      },
    },
    async ({ query }) => ({ data: await readSeries(deps.reads, counts, daysOf(query), deps.clock()) }),
  )
}

export function countsRoutes(scope: SignedInScope, deps: Deps): void {
  const waiting = waitingIn(deps.modules)

  scope.get(
    '/admin/counts',
    {
      schema: {
        operationId: 'getCounts',
        summary: "Count pending work in the caller's areas, with the time of the oldest",
        response: { 200: record(countsOf(waiting)) },
      },
    },
    async ({ caller }) => ({ data: await countWaiting(deps, waiting, caller) }),
  )
}

type Dashboard = Record<string, unknown>
type Options = { timeoutMs: number; atOnce: number }
const defaults: Options = { timeoutMs: 1_500, atOnce: 3 }
/** How long a large count is shown before it is made again. */
const largeMs = 10_000

/** Omits figures of areas that the caller's roles do not open. */
const figuresFor = ({ user }: SignedIn, figures: Figures, dashboard: Dashboard): Dashboard =>
  Object.fromEntries(
    Object.entries(dashboard).filter(([name]) => {
      const area = figures[name]?.area
      return area === undefined || opens(user.roles, area)
    }),
  )

/**
 * Reads the dashboard; omits figures that fail or time out. Concurrent requests share one read, so slow or
 * locked tables occupy at most three connections. Large counts are made every ten seconds at most.
 */
export function dashboardReader(
  { reads, log, config }: Pick<Deps, 'reads' | 'log' | 'config'>,
  figures: Figures,
  { timeoutMs, atOnce }: Options = defaults,
): () => Promise<Dashboard> {
  let underWay: Promise<Dashboard> | null = null
  /** Counts of so many rows that they take long, and when they were made. */
  const large = new Map<string, { figure: unknown; at: number }>()

  async function readAll(): Promise<Dashboard> {
    const dashboard: Dashboard = {}
    const waiting = Object.entries(figures)
    const readInTurn = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [name, { read }] = next
        const last = large.get(name)
        if (last !== undefined && performance.now() - last.at < largeMs) {
          dashboard[name] = last.figure
          continue
        }
        try {
          const figure = await withTimeout(reads, timeoutMs, (tx) => read(tx, config))
          dashboard[name] = figure
          if (Number(figure) > maxCountedOfList) large.set(name, { figure, at: performance.now() })
          else large.delete(name)
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
