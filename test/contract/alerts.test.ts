import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { modules } from '../../src/app.ts'
import { applyRetention } from '../../src/modules/retention/rules.ts'
import { createMetrics } from '../../src/platform/http/operation/metrics.ts'
import { watchJobs } from '../../src/platform/jobs/watch-jobs.ts'
import type { Deps } from '../../src/platform/module.ts'
import { openWorld } from '../support/world.ts'

const selectors = Array.from(
  readFileSync('docs/alerts.yml', 'utf8').matchAll(/\b([a-z_0-9]+)\{([^{}]*)\}/g),
  ([, name = '', labels = '']) => ({ name, labels: labels.split(', ') }),
)
// Told by Prometheus itself, and by node_exporter.
const ofOthers = ['up', 'node_filesystem_avail_bytes']
// Whatever job the scrape is named; which routes and statuses there are is seen in use.
const isFixed = (label: string) => !/^(job|route|status)\b/.test(label)

test('each metric that docs/alerts.yml asks for is one that the service tells, with these labels', async () => {
  const metrics = createMetrics()
  const world = await openWorld({ metrics, env: { AUDIT_KEY: 'a key for tests that is long enough' } })
  const { get, runJobs, pools, db, config, jobs, log } = world
  const deps = { db, config, jobs, log, modules } as Deps
  for (const module of modules) module.metrics?.(metrics.registry, deps)
  await applyRetention(db, modules, config.retentionMonths, new AbortController().signal)
  metrics.watchPools(pools)
  watchJobs(metrics.registry, db)
  await runJobs()
  await get('/communes')
  const told = (await metrics.registry.metrics()).split('\n')
  const asked = selectors.filter(({ name }) => !ofOthers.includes(name))
  expect(asked.length).toBeGreaterThan(8)
  const untold = asked.filter(({ name, labels }) => {
    const series = told.filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    return !series.some((line) => labels.filter(isFixed).every((label) => line.includes(label)))
  })
  expect(untold).toEqual([])
})
