import { randomBytes } from 'node:crypto'
import type { Parts } from '../parts.ts'
import type { WebApp } from '../web-app/web-app.ts'
import { type SummedMetrics, sumMetrics } from './summed-metrics.ts'
import { createWorkers } from './workers.ts'

/**
 * Prepares the primary process of an instance with several workers. It owns the data folder and the embedded database,
 * runs jobs and schedules, builds the back-office application and serves the metrics; its workers serve requests.
 */
export function openPrimary(
  { config, database, jobs, log, opened, registry }: Parts,
  webApp: WebApp | null,
  secrets: Record<string, string> | null,
) {
  const { service, direct, isPooled, folder } = database
  const instance = randomBytes(4).toString('hex')
  const workers = createWorkers({
    count: config.workers,
    setup: () => ({
      ...{ instance, secrets, secondFactor: config.secondFactor, webAppFolder: webApp?.folder ?? null },
      database: { service, direct, isPooled, folder },
    }),
    log,
    onEnded: (last) => summed.keep(last),
  })
  const summed: SummedMetrics = sumMetrics({ registry, measure: workers.measure })
  return {
    metrics: summed,
    announce: workers.announce,
    restart: workers.restart,
    listen() {
      // At once, else jobs would go on, and new ones begin, until the last worker has served its clients.
      opened(() => Promise.all([workers.close(), jobs.stop()]))
      return workers.start()
    },
    async prepareWebApp() {
      await webApp?.prepare()
      if (webApp !== null && webApp.folder !== null) workers.webAppIsBuilt(webApp.folder)
    },
  }
}
