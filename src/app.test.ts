import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { modules } from './app.ts'
import { readConfig } from './platform/config.ts'
import type { Deps } from './platform/module.ts'

test('what is scheduled has somebody who does it, and each kind of job one handler', () => {
  const deps = { config: readConfig(modules, {}), modules } as Deps
  const names = modules.flatMap((module) => module.jobs?.(deps) ?? []).map(({ job }) => job.name)
  const schedules = modules.flatMap(({ schedules = [] }) => schedules)
  expect(new Set(names).size).toBe(names.length)
  expect(schedules.map(({ job, cron }) => [job.name, cron])).toEqual([
    ['claims.expire', '17 * * * *'],
    ['claims.give-up-sending', '47 * * * *'],
    ['users.lapse-rights', '40 4 * * *'],
    ['retention.apply', '20 4 * * *'],
  ])
  for (const { job } of schedules) expect(names).toContain(job.name)
})

test('the usual limits and times of keeping are those of the contract', () => {
  const { rateLimits, retentionMonths } = readConfig(modules, {})
  expect(rateLimits).toEqual({
    create: { points: 60, seconds: 3_600 },
    report: { points: 30, seconds: 3_600 },
    claim: { points: 20, seconds: 3_600 },
    alert: { points: 60, seconds: 3_600 },
    moderate: { points: 600, seconds: 60 },
  })
  expect(retentionMonths).toEqual({ claims: 24, reports: 12 })
})

test('no two modules bring something of the same name', () => {
  for (const namesOf of [
    ({ name }) => [name],
    ({ errors = {} }) => Object.keys(errors),
    ({ constraints = {} }) => Object.keys(constraints),
    ({ audited = [] }) => audited.map(({ entity }) => entity),
    ({ limits = {} }) => Object.keys(limits),
    ({ figures = {} }) => Object.keys(figures),
    ({ retention = [] }) => retention.map(({ name }) => name),
  ] satisfies ((module: (typeof modules)[number]) => string[])[]) {
    const names = modules.flatMap(namesOf)
    expect(names).toEqual([...new Set(names)])
  }
})

test('.env.example names every setting that is read, and no other', () => {
  const read = new Set<string>()
  const seen = new Proxy({}, { get: (_env, name) => void read.add(String(name)) })
  readConfig(modules, seen)
  const example = readFileSync('.env.example', 'utf8')
  const listed = [...example.matchAll(/^#?\s?([A-Z_]+)=/gm)].map(([, name = '']) => name)
  expect(read.size).toBeGreaterThan(10)
  expect(new Set(listed)).toEqual(read)
})
