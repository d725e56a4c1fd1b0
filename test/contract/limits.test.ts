// Not on another PostgreSQL, because other files run its statements too.
import { expect, test } from 'vitest'
import { modules } from '../../src/app.ts'
import { limitOf } from '../../src/platform/http/rate-limits/rate-limits.ts'
import { callsOfEachModule, openStage } from '../support/route-calls.ts'
import { sampled } from '../support/sample.ts'
import { openWorld } from '../support/world.ts'

const limited = new Map<string, string>()
const changing: { name: string; audience: string; limit: string | null }[] = []
const names = modules.flatMap(({ settings }) => Object.keys(settings?.limits ?? {}))
const world = await openWorld({
  // Calls are staged here and sent where a single one is allowed.
  env: Object.fromEntries(names.map((name) => [`RATE_LIMIT_${name.toUpperCase()}`, '1000/hour'])),
  watchRoutes: ({ method, url, config }) => {
    if (method === 'GET' || method === 'HEAD' || config?.scope?.audience === undefined) return
    const name = `${method} ${url.replace('/api/v1', '').replace(/:(\w+)/g, '{$1}')}`
    const limit = limitOf(config)
    changing.push({ name, audience: config.scope.audience, limit })
    if (limit !== null) limited.set(name, limit)
  },
})
const strict = await openWorld({
  database: world.database,
  env: Object.fromEntries(names.map((name) => [`RATE_LIMIT_${name.toUpperCase()}`, '1/hour'])),
})

test('every public write is rate-limited, and so are all decisions on publications', () => {
  const open = changing.filter(({ audience }) => audience === 'public')
  expect(open.filter(({ limit }) => limit === null)).toEqual([])
  const decisions = changing.filter(({ name }) => /publications\/.*(moderate|valide)$/.test(name))
  expect(decisions.length).toBeGreaterThan(4)
  expect(decisions.filter(({ limit }) => limit !== 'moderate')).toEqual([])
})

test('a limit counts before the body is read, so unreadable bodies count too', async () => {
  const stage = await openStage(world)
  const calls = Object.entries(await callsOfEachModule(stage))
  const member = {
    memberships: [stage.club, stage.mairie.hall].map((acteur) => ({ acteur, role: 'owner' as const })),
  }
  for (const name of sampled([...limited.keys()], 1 / 3)) {
    const [, make] = calls.find(([staged]) => staged.split('?')[0] === name) ?? []
    const { by, path } = (await make?.()) ?? expect.fail(`no call of ${name} is staged`)
    // A separate caller for each route; for members' routes not an administrator, who is not limited.
    const { token } = await world.user(by.source === 'backoffice' ? { roles: ['admin'] } : member)
    const caller = strict.client({ source: by.source, token })
    const [method = ''] = name.split(' ')
    const body = method === 'DELETE' ? '{"a":1}' : '{'
    const first = await caller.send(method, path, body)
    expect([400, 422], `${name} ${first.text}`).toContain(first.status)
    expect(await caller.send(method, path, body), name).toBeError(429, 'rate_limited')
  }
})
