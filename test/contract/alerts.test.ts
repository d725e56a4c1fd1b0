// Not on another PostgreSQL, because other files run its statements too.
import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { modules } from '../../src/app.ts'
import { applyRetention } from '../../src/modules/retention/rules.ts'
import { watchReplica } from '../../src/platform/database/replica/public-databases.ts'
import { watchClock } from '../../src/platform/database/watch/watch-clock.ts'
import { purgeEdge, watchPurges } from '../../src/platform/http/cache/purge.ts'
import { createRegistry, watchPools } from '../../src/platform/http/operation/metrics.ts'
import { watchJobs } from '../../src/platform/jobs/watch-jobs.ts'
import type { Deps } from '../../src/platform/module.ts'
import { openWorld } from '../support/world.ts'

/** The metrics that expressions select, with their labels. */
const selectorsOf = (text: string) =>
  Array.from(text.matchAll(/\b([a-z_0-9]+)\{([^{}]*)\}/g), ([, name = '', labels = '']) => ({
    name,
    labels: labels.split(', '),
  }))
const dashboard: { panels: { targets: { expr: string }[] }[] } = JSON.parse(
  readFileSync('docs/grafana-dashboard.json', 'utf8'),
)
const selectors = selectorsOf(
  [
    readFileSync('docs/alerts.yml', 'utf8'),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ].join('\n'),
)
// Provided by Prometheus itself and by node_exporter.
const ofOthers = ['up', 'node_filesystem_avail_bytes']
// The scrape job may have any name; routes and statuses appear in use.
const isFixed = (label: string) => !/^(job|route|status)\b|!=/.test(label)

test('each metric that docs/alerts.yml and docs/grafana-dashboard.json select is exposed with these labels', async () => {
  const registry = createRegistry()
  const writeState = { writesRefused: null }
  const world = await openWorld({
    registry,
    writeState,
    keeps: true,
    env: { AUDIT_KEY: 'a key for tests that is long enough' },
  })
  const { get, runJobs, pools, db, config, jobs, log } = world
  const deps = { db, reads: db, config, jobs, log, modules } as Deps
  for (const module of modules) {
    for (const counter of module.metrics?.counters ?? []) registry.registerMetric(counter)
    module.metrics?.watch?.(registry, deps)
  }
  await applyRetention(db, modules, config.retentionMonths, new AbortController().signal)
  watchPools(registry, pools)
  watchJobs(registry, db)
  watchReplica(registry, { served: { primary: 0, replica: 0 }, replica: { isUsed: true } })
  const purges = purgeEdge({ ...config.cdn, purgeUrl: 'http://127.0.0.1:9' }, log)
  onTestFinished(purges.close)
  watchPurges(registry, purges)
  onTestFinished(watchClock({ db, registry: registry, log }))
  await runJobs()
  await get('/communes')
  const told = (await registry.metrics()).split('\n')
  const asked = selectors.filter(({ name }) => !ofOthers.includes(name))
  expect(asked.length).toBeGreaterThan(8)
  const untold = asked.filter(({ name, labels }) => {
    const series = told.filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    return !series.some((line) => labels.filter(isFixed).every((label) => line.includes(label)))
  })
  expect(untold).toEqual([])
})

test('docs/operations.md says what to do for each alert', () => {
  const table = readFileSync('docs/operations.md', 'utf8')
  const alerts = Array.from(
    readFileSync('docs/alerts.yml', 'utf8').matchAll(/- alert: (\w+)/g),
    ([, name = '']) => name,
  )
  expect(alerts.length).toBeGreaterThan(15)
  expect(alerts.filter((name) => !table.includes(`\`${name}\``))).toEqual([])
})
