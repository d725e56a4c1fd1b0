import { expect, test } from 'vitest'
import { fieldLabels } from '../../src/modules/audit/sentences/fields.ts'
import { sentences } from '../../src/modules/audit/sentences/summary.ts'
import { callsOfEachModule, openStage } from '../support/route-calls.ts'
import { openWorld } from '../support/world.ts'

const routes: { name: string; audits: string | undefined }[] = []
const world = await openWorld({
  watchRoutes: ({ method, url, config }) => {
    // Routes that browsers open directly redirect to another service; a test with that service calls them.
    if (method === 'HEAD' || config?.scope?.audience === undefined || config.scope?.audience === 'navigation')
      return
    const name = `${String(method)} ${url.replace('/api/v1', '').replace(/:(\w+)/g, '{$1}')}`
    routes.push({ name, audits: config.audits })
  },
})
const stage = await openStage(world)
const { acteur, author, secret } = stage
const { db } = world
const calls = await callsOfEachModule(stage)
// Events of the payment provider have no user; their own table records them.
const changing = Object.entries(calls).filter(([name]) => !/^GET |\/webhooks\//.test(name))

test('each module provides a test call for each of its routes and for no other', () => {
  const staged = Object.keys(calls).map((name) => name.split('?')[0])
  expect([...new Set(staged)].sort()).toEqual(routes.map(({ name }) => name).sort())
})

const uuids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

test.each(changing)(
  '%s writes one audit entry per record: user, action, before and after',
  async (name, make) => {
    const { by, path, body, headers, rows = [] } = await make()
    const [method = ''] = name.split(' ')
    // The filter of the audit log ignores the case of the id.
    const written = (id: string) => id.toUpperCase()
    const asked = path.replaceAll(uuids, written)
    const answer = await by.client.send(method, asked, body, headers && { headers })
    expect([200, 201, 202], answer.text).toContain(answer.status)
    const requestId = answer.headers.get('x-request-id')
    const auditEntries = await db
      .selectFrom('audit_log')
      .select(['action', 'entity', 'entity_id', 'before', 'after', 'user_id', 'app_source'])
      .where('request_id', '=', requestId)
      .orderBy('entity_id')
      .execute()
    const shared = { user_id: by.id || null, app_source: by.source }
    const expected = rows.map((row) => ({
      entity_id: answer.body.data?.id,
      ...row,
      ...shared,
      ...(row.entity_id === stage.made && { entity_id: expect.any(String) }),
    }))
    const audits = routes.find((route) => route.name === name.split('?')[0])?.audits
    expect(rows.length > 0, 'a route that names an action writes it').toBe(audits !== undefined)
    expect(auditEntries).toEqual(
      expected.toSorted((one, other) => (one.entity_id < other.entity_id ? -1 : 1)),
    )
    expect(JSON.stringify(auditEntries)).not.toMatch(/vauquelin/i)
  },
)

test('every action and field that these calls write has a sentence and a label in both languages', async () => {
  const entries = await db.selectFrom('audit_log').select(['action', 'before', 'after']).execute()
  const actions = new Set(entries.map(({ action }) => action))
  expect(actions.size).toBeGreaterThan(60)
  expect([...actions].filter((action) => !(action in sentences))).toEqual([])
  const fields = new Set(
    entries.flatMap(({ before, after }) => Object.keys({ ...(before as object), ...(after as object) })),
  )
  expect([...fields].filter((field) => !(field in fieldLabels)).toSorted()).toEqual([])
})

test('a claim conflict writes its own audit entry', async () => {
  const { id } = await acteur()
  const submit = () => author.client.post('/claims', { acteur_id: id.toUpperCase(), message: secret })
  const first = await submit()
  const refused = await submit()
  expect(refused).toBeError(409, 'claim_conflict')
  const auditEntries = await db
    .selectFrom('audit_log')
    .select(['action', 'entity_id', 'user_id', 'after'])
    .where('request_id', '=', refused.headers.get('x-request-id'))
    .execute()
  const after = { acteur_id: id, user_id: author.id }
  expect(auditEntries).toEqual([
    { action: 'claim.conflict', entity_id: first.body.data.id, user_id: author.id, after },
  ])
})
