import { expect, test } from 'vitest'
import { jobHandlers, jobSchedules } from './jobs.ts'
import { readConfig } from './platform/config.ts'
import type { Deps } from './platform/deps.ts'

test('what is scheduled has somebody who does it, and each kind of job one handler', () => {
  const deps = { config: readConfig({}) } as Deps
  const names = jobHandlers(deps).map(({ job }) => job.name)
  expect(new Set(names).size).toBe(names.length)
  expect(jobSchedules.map(({ job, cron }) => [job.name, cron])).toEqual([
    ['claims.settle', '17 * * * *'],
    ['retention.apply', '20 4 * * *'],
  ])
  for (const { job } of jobSchedules) expect(names).toContain(job.name)
})
