import { expect, test } from 'vitest'
import { callsOfEachModule, openStage } from '../support/route-calls.ts'
import { openWorld } from '../support/world.ts'

const routes: { name: string; audits: string | undefined }[] = []
const world = await openWorld({
  watchRoutes: ({ method, url, config }) => {
    if (method === 'HEAD' || config?.audience === undefined) return
    const name = `${String(method)} ${url.replace('/api/v1', '').replace(/:(\w+)/g, '{$1}')}`
    routes.push({ name, audits: config.audits })
  },
})
const stage = await openStage(world)
const { acteur, author, secret } = stage
const { db } = world
const calls = await callsOfEachModule(stage)
// Nobody does what the provider tells: it is kept by its own table.
const changing = Object.entries(calls).filter(([name]) => !/^GET |\/webhooks\//.test(name))

test('each module stages a call of each of its routes, and of no other', () => {
  const staged = Object.keys(calls).map((name) => name.split('?')[0])
  expect([...new Set(staged)].sort()).toEqual(routes.map(({ name }) => name).sort())
})

const uuids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

test.each(changing)('%s leaves one row by record: who, what, before and after', async (name, make) => {
  const { by, path, body, rows = [] } = await make()
  const [method = ''] = name.split(' ')
  // However an id is written, the trail finds its record.
  const written = (id: string) => id.toUpperCase()
  const asked = path.replaceAll(uuids, written)
  const answer = await by.client.send(method, asked, body)
  expect([200, 201, 202], answer.text).toContain(answer.status)
  const requestId = answer.headers.get('x-request-id')
  const trail = await db
    .selectFrom('audit_log')
    .select(['action', 'entity', 'entity_id', 'before', 'after', 'user_id', 'app_source'])
    .where('request_id', '=', requestId)
    .orderBy('entity_id')
    .execute()
  const shared = { user_id: by.id, app_source: by.source }
  const expected = rows.map((row) => ({ entity_id: answer.body.data.id, ...row, ...shared }))
  expect(rows.length).toBeGreaterThan(0)
  expect(trail).toEqual(expected.toSorted((one, other) => (one.entity_id < other.entity_id ? -1 : 1)))
  expect(JSON.stringify(trail)).not.toMatch(/vauquelin/i)
})

test('a claim that meets another leaves its own row', async () => {
  const { id } = await acteur()
  const submit = () => author.client.post('/claims', { acteur_id: id.toUpperCase(), message: secret })
  const first = await submit()
  const refused = await submit()
  expect(refused).toBeError(409, 'claim_conflict')
  const trail = await db
    .selectFrom('audit_log')
    .select(['action', 'entity_id', 'user_id', 'after'])
    .where('request_id', '=', refused.headers.get('x-request-id'))
    .execute()
  const after = { acteur_id: id, user_id: author.id }
  expect(trail).toEqual([
    { action: 'claim.conflict', entity_id: first.body.data.id, user_id: author.id, after },
  ])
})
