import type { SignedInScope } from '../../platform/http/http-server.ts'
import { list, record } from '../../platform/http/validation/schemas.ts'
import type { Deps, Figures } from '../../platform/module.ts'
import { countWaiting, waitingIn } from './counts.ts'
import { dashboardReader, figuresFor } from './rules.ts'
import { countsOf, dashboardOf } from './schema.ts'
import { dailyCountsOf, readSeries } from './series/rules.ts'
import { dayOf, daysOf, SeriesQuery } from './series/schema.ts'

export function dashboardAdminRoutes(scope: SignedInScope, deps: Deps): void {
  const figures: Figures = Object.assign({}, ...deps.modules.map((module) => module.figures))
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
