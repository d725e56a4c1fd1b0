import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { modules } from './app.ts'
import { readConfig } from './platform/config/config.ts'
import { type Deps, schedulesOf } from './platform/module.ts'

test('every schedule has a handler, and each kind of job has exactly one', () => {
  const config = readConfig(modules, {
    GEODAE_CSV_URL: 'https://registry.example/geodae.csv',
    AUDIT_KEY: 'a key of the tests: long enough to be one',
  })
  const deps = { config, modules } as Deps
  const names = modules.flatMap((module) => module.jobs?.handlers(deps) ?? []).map(({ job }) => job.name)
  const schedules = schedulesOf(modules, config)
  expect(new Set(names).size).toBe(names.length)
  expect(schedules.length).toBeGreaterThan(0)
  for (const { job } of schedules) expect(names).toContain(job.name)
})

test('no two modules declare the same name', () => {
  for (const namesOf of [
    ({ name }) => [name],
    ({ errors = {} }) => Object.keys(errors),
    ({ constraints = {} }) => Object.keys(constraints),
    ({ permissions = [] }) => permissions.map(({ name }) => name),
    ({ audited = [] }) => audited.map(({ entity }) => entity),
    ({ settings }) => Object.keys(settings?.limits ?? {}),
    ({ office }) => Object.keys(office?.figures ?? {}),
    ({ retention = [] }) => retention.map(({ name }) => name),
  ] satisfies ((module: (typeof modules)[number]) => string[])[]) {
    const names = modules.flatMap(namesOf)
    expect(names).toEqual([...new Set(names)])
  }
})

test('.env.example names exactly the settings that are read', () => {
  const read = new Set<string>()
  const seen = new Proxy({}, { get: (_env, name) => void read.add(String(name)) })
  readConfig(modules, seen)
  // Set by the supervisor for each of its instances.
  read.delete('PARVIS_INSTANCE')
  const example = readFileSync('.env.example', 'utf8')
  const listed = [...example.matchAll(/^#?\s?([A-Z_]+)=/gm)].map(([, name = '']) => name)
  expect(read.size).toBeGreaterThan(10)
  expect(new Set(listed)).toEqual(read)
})

test('the default limits and retention periods equal those in .env.example', () => {
  const example = readFileSync('.env.example', 'utf8')
  const shown = Object.fromEntries(
    [...example.matchAll(/^# ((?:RATE_LIMIT|RETENTION)_[A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [
      name,
      value,
    ]),
  )
  const { rateLimits, retentionMonths } = readConfig(modules, {})
  expect({ rateLimits, retentionMonths }).toEqual({
    rateLimits: readConfig(modules, shown).rateLimits,
    retentionMonths: readConfig(modules, shown).retentionMonths,
  })
  expect(Object.keys(shown)).toHaveLength(Object.keys({ ...rateLimits, ...retentionMonths }).length)
})
