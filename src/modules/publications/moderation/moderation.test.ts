import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { insertPublication, openAssociation } from '../publications.test-kit.ts'

const world = await openWorld()
const { db, as, get } = world
const admin = await as('admin')
const moderator = await as('moderator')
const { acteur, commune, asEditor } = await openAssociation(world)

const pending = { moderation_status: 'pending', valide: false, publie_le: null }
const make = (values: Parameters<typeof insertPublication>[1] = pending) =>
  insertPublication(world, { acteur_id: acteur.id, commune_id: commune.id, ...values })
const at = (id: string, action = '') => `/admin/publications/${id}${action && `/${action}`}`
const soon = () => new Date(Date.now() + 3_600_000).toISOString()

async function report(publication_id: string) {
  await db
    .insertInto('publication_reports')
    .values({ id: uuidv7(), publication_id, caller_key: uuidv7(), day: '2026-11-20' })
    .execute()
}
const databaseTime = async () =>
  (await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db)).rows[0]?.at.getTime() ?? Number.NaN
const stored = (id: string) =>
  db.selectFrom('publications').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const auditEntries = (id: string) =>
  db.selectFrom('audit_log').selectAll().where('entity_id', '=', id).orderBy('at').orderBy('id').execute()

test('GET /admin/publications/{id} returns 200 in any state, with its version', async () => {
  const { id } = await make({ ...pending, deleted_at: new Date(), moderation_reason: 'Hors sujet' })
  const { status, body, headers } = await moderator.get(at(id))
  expect(status).toBe(200)
  expect(headers.get('etag')).toBe('"1"')
  expect(body.data).toMatchObject({ id, version: 1, moderation_reason: 'Hors sujet', reports_open: 0 })
  expect(body.data.deleted_at).toMatch(/Z$/)
})

test('PATCH /admin/publications/{id}/moderate returns 200, publishes now and closes the reports', async () => {
  const { id } = await make()
  expect((await get(`/publications/${id}`)).status).toBe(404)
  await report(id)
  const before = await databaseTime()
  const { status, body, headers } = await moderator.patch(at(id, 'moderate'), {
    moderation_status: 'published',
  })
  expect(status).toBe(200)
  expect(headers.get('etag')).toBe('"2"')
  expect(body.data).toMatchObject({
    status: 'published',
    moderation_status: 'published',
    valide: true,
    // Visible from this moment.
    hidden_because: [],
    reports_open: 0,
    version: 2,
  })
  expect(Date.parse(body.data.publie_le)).toBeGreaterThanOrEqual(before)
  expect(Date.parse(body.data.publie_le)).toBeLessThanOrEqual(await databaseTime())
  expect((await get(`/publications/${id}`)).status).toBe(200)
  expect(await auditEntries(id)).toMatchObject([
    {
      action: 'publication.moderate',
      entity: 'publication',
      before: { moderation_status: 'pending', valide: false },
      after: { moderation_status: 'published', valide: true, decided_centrally: true, reports_closed: 1 },
      app_source: 'backoffice',
    },
  ])
})

test('a repeated decision changes only open reports, and a publication time never moves', async () => {
  const { id } = await make()
  const first = await admin.patch(at(id, 'moderate'), { moderation_status: 'published' })
  const { publie_le } = first.body.data
  await report(id)
  const again = await admin.patch(at(id, 'moderate'), { moderation_status: 'published' })
  expect(again.body.data).toMatchObject({ version: 2, publie_le, reports_open: 0 })
  await admin.patch(at(id, 'moderate'), { moderation_status: 'rejected', reason: 'Hors sujet' })
  const back = await admin.patch(at(id, 'moderate'), { moderation_status: 'published' })
  expect(back.body.data).toMatchObject({ version: 4, publie_le, moderation_reason: null })
  const rows = await auditEntries(id)
  expect(rows.map(({ after }) => after)).toMatchObject([
    { valide: true },
    { reports_closed: 1 },
    { valide: false, moderation_reason: 'Hors sujet' },
    { valide: true },
  ])
  await admin.patch(at(id, 'moderate'), { moderation_status: 'published' })
  expect(await auditEntries(id)).toHaveLength(rows.length)
})

test('a reason is kept as long as its status and can be replaced or removed', async () => {
  const { id } = await make()
  const reject = async (body: object) => {
    const answer = await admin.patch(at(id, 'moderate'), { moderation_status: 'rejected', ...body })
    return answer.body.data.moderation_reason
  }
  expect(await reject({ reason: 'Hors sujet' })).toBe('Hors sujet')
  expect(await reject({})).toBe('Hors sujet')
  expect(await reject({ reason: 'Publicité' })).toBe('Publicité')
  expect(await reject({ reason: null })).toBe(null)
})

test.each([
  ['moderation_status', {}],
  ['moderation_status', { moderation_status: 'deleted' }],
  ['reason', { moderation_status: 'rejected', reason: 'x'.repeat(1_001) }],
  ['publie_le', { moderation_status: 'published', publie_le: '2099-01-01T00:00:00Z' }],
  ['publie_le', { moderation_status: 'rejected', publie_le: null }],
  ['publie_le', { moderation_status: 'approved', publie_le: '2020-01-01T00:00:00Z' }],
  ['publie_le', { moderation_status: 'approved', publie_le: 'demain' }],
  ['inconnu', { moderation_status: 'approved', inconnu: 1 }],
])('PATCH /admin/publications/{id}/moderate returns 422 and changes nothing: %s', async (field, body) => {
  const before = await make()
  const answer = await admin.patch(at(before.id, 'moderate'), body)
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details.map((problem: { field: string }) => problem.field)).toContain(field)
  expect(await stored(before.id)).toEqual(before)
})

test('a schedule can be set, moved and removed until it has passed', async () => {
  const { id } = await make()
  const approve = (publie_le?: string | null) =>
    admin.patch(at(id, 'moderate'), {
      moderation_status: 'approved',
      ...(publie_le !== undefined && { publie_le }),
    })
  expect((await approve()).body.data).toMatchObject({ valide: true, publie_le: null })
  const time = soon()
  expect((await approve(time)).body.data).toMatchObject({ publie_le: time })
  expect((await approve()).body.data).toMatchObject({ publie_le: time })
  expect((await approve('2099-06-01T12:00:00+02:00')).body.data.publie_le).toBe('2099-06-01T10:00:00.000Z')
  expect((await approve(null)).body.data).toMatchObject({ publie_le: null })
  await admin.patch(at(id, 'moderate'), { moderation_status: 'published' })
  for (const refused of [null, soon()]) {
    const answer = await approve(refused)
    expect(answer).toBeError(422, 'validation_failed')
    expect(answer.body.details[0].field).toBe('publie_le')
  }
  expect((await approve()).body.data).toMatchObject({ moderation_status: 'approved', valide: true })
})

test('PATCH /admin/publications/{id}/valide returns 200: true publishes, false only invalidates, no body toggles', async () => {
  const { id } = await make({ ...pending, moderation_status: 'rejected', moderation_reason: 'Hors sujet' })
  const path = at(id, 'valide')
  const valid = await admin.patch(path, { valide: true })
  expect(valid.status).toBe(200)
  expect(valid.body.data).toMatchObject({
    moderation_status: 'published',
    valide: true,
    moderation_reason: null,
  })
  const { publie_le } = valid.body.data
  const invalid = await admin.patch(path, { valide: false })
  expect(invalid.body.data).toMatchObject({ moderation_status: 'published', valide: false, publie_le })
  expect((await admin.patch(path)).body.data).toMatchObject({ valide: true, publie_le })
  // An empty body is no body, whatever its content type.
  expect((await admin.patch(path, '')).body.data).toMatchObject({ valide: false, publie_le, version: 5 })
  expect((await auditEntries(id)).map(({ action }) => action)).toEqual(Array(4).fill('publication.valide'))
})

test('a resubmission keeps the reason of its rejection until it is accepted, and again after an undo', async () => {
  const { id } = await make()
  const shown = async () => {
    const { resubmitted, moderation_reason } = (await moderator.get(at(id))).body.data
    return [resubmitted, moderation_reason]
  }
  const reject = { moderation_status: 'rejected', reason: 'Quel jour ?' }
  await moderator.patch(at(id, 'moderate'), reject)
  expect(await shown()).toEqual([false, 'Quel jour ?'])
  await asEditor.patch(`/publications/${id}`, { date_debut: '2027-01-01' })
  await asEditor.patch(`/publications/${id}`, { title: 'Fête' })
  expect(await shown()).toEqual([true, 'Quel jour ?'])
  const accepted = await moderator.patch(at(id, 'moderate'), { moderation_status: 'published' })
  expect(accepted.body.data).toMatchObject({ resubmitted: false, moderation_reason: null })
  await moderator.post(`/admin/decisions/${accepted.body.data.decision_id}/undo`)
  expect(await shown()).toEqual([true, 'Quel jour ?'])
  await moderator.patch(at(id, 'moderate'), { ...reject, reason: 'Où ?' })
  expect(await shown()).toEqual([false, 'Où ?'])
})

test('PATCH /admin/publications/{id}/valide returns 422 for a non-boolean', async () => {
  const { id } = await make()
  for (const body of [{}, 'null', { valide: 'true' }, { valide: null }, { valide: true, why: 'x' }])
    expect(await admin.patch(at(id, 'valide'), body)).toBeError(422, 'validation_failed')
})

test.each([
  '9999-12-31T23:59:59-14:00',
  '0000-01-01T00:00:00Z',
  '2026-12-31T23:59:60Z',
  '2027-02-30T00:00:00Z',
  '2027-02-28T00:00:00+16:00',
  '2027-02-28T00:00:00Z[Europe/Paris]',
])('PATCH /admin/publications/{id}/feature returns 422 for an invalid time: %s', async (featured_until) => {
  const { id } = await make()
  const answer = await admin.patch(at(id, 'feature'), { en_avant: true, featured_until })
  expect(answer).toBeError(422, 'validation_failed')
})

test('validates the body before it looks the record up', async () => {
  const past = '2020-01-01T00:00:00Z'
  const bodies = [
    ['moderate', { moderation_status: 'rejected', publie_le: past }],
    ['moderate', { moderation_status: 'approved', publie_le: past }],
    ['feature', { en_avant: true, featured_until: past }],
  ] as const
  for (const [action, body] of bodies)
    expect(await admin.patch(at(uuidv7(), action), body)).toBeError(422, 'validation_failed')
})

test('PATCH /admin/publications/{id}/feature returns 200, with or without an end, and clears the end with the flag', async () => {
  const { id } = await make({})
  const featured_until = soon()
  const path = at(id, 'feature')
  const featured = await admin.patch(path, { en_avant: true, featured_until })
  expect(featured.status).toBe(200)
  expect(featured.body.data).toMatchObject({ en_avant: true, featured_until, version: 2 })
  const forGood = await admin.patch(path, { en_avant: true })
  expect(forGood.body.data).toMatchObject({ en_avant: true, featured_until: null })
  await admin.patch(path, { en_avant: true, featured_until })
  const ended = await admin.patch(path, { en_avant: false, featured_until: '2020-01-01T00:00:00Z' })
  expect(ended.body.data).toMatchObject({ en_avant: false, featured_until: null, version: 5 })
  expect((await auditEntries(id)).map(({ action }) => action)).toEqual(Array(4).fill('publication.feature'))
})

test('a publication is no longer featured after its end', async () => {
  const { id } = await make({ en_avant: true, featured_until: sql<Date>`now() - interval '1 minute'` })
  expect((await admin.get(at(id))).body.data).toMatchObject({ en_avant: false, featured_until: null })
})

test('PATCH /admin/publications/{id}/feature returns 422 for an end in the past', async () => {
  const { id } = await make({})
  const path = at(id, 'feature')
  const past = await admin.patch(path, { en_avant: true, featured_until: '2020-01-01T00:00:00Z' })
  expect(past).toBeError(422, 'validation_failed')
  expect(past.body.details[0].field).toBe('featured_until')
  expect(await admin.patch(path, { featured_until: soon() })).toBeError(422, 'validation_failed')
})

test('DELETE /admin/publications/{id} returns 200, also the second time', async () => {
  const { id } = await make({})
  const first = await admin.delete(at(id))
  expect(first.status).toBe(200)
  expect(first.body.data.deleted_at).toMatch(/Z$/)
  expect((await get(`/publications/${id}`)).status).toBe(404)
  expect((await admin.delete(at(id))).body.data).toEqual({ ...first.body.data, decision_id: null })
  expect(await auditEntries(id)).toMatchObject([{ action: 'publication.delete' }])
})

test('PATCH /admin/publications/{id}/restore returns 200 with links, reports and featuring as before', async () => {
  const other = await world.commune()
  const { id } = await make({
    en_avant: true,
    featured_until: new Date(soon()),
    epingle: true,
    commune_ids: [commune.id, other.id],
  })
  await report(id)
  const { body: before } = await admin.get(at(id))
  await admin.delete(at(id))
  const { status, body: after } = await admin.patch(at(id, 'restore'))
  expect(status).toBe(200)
  const { version, updated_at } = after.data
  const now = (await admin.get(at(id))).body.data
  expect(now).toEqual({ ...before.data, version, updated_at })
  const { decision_id, ...record } = after.data
  expect([typeof decision_id, now]).toMatchObject(['string', record])
  expect(version).toBe(3)
  expect((await admin.patch(at(id, 'restore'))).body.data).toEqual({ ...after.data, decision_id: null })
  expect((await get(`/publications/${id}`)).status).toBe(200)
  expect((await auditEntries(id)).map(({ action }) => action)).toEqual([
    'publication.delete',
    'publication.restore',
  ])
})

const decisions = [
  ['moderate', { moderation_status: 'published' }],
  ['valide', { valide: true }],
  ['valide', undefined],
  ['feature', { en_avant: true }],
] as const

test.each(decisions)(
  'PATCH /admin/publications/{id}/%s returns 409 when it is deleted: %j',
  async (action, body) => {
    const before = await make({ ...pending, deleted_at: new Date() })
    expect(await admin.patch(at(before.id, action), body)).toBeError(409, 'conflict')
    expect(await stored(before.id)).toEqual(before)
  },
)

test.each([...decisions, ['restore', undefined] as const])(
  'PATCH /admin/publications/{id}/%s returns 412 for an outdated version: %j',
  async (action, body) => {
    const { id } = await make(action === 'restore' ? { deleted_at: new Date() } : pending)
    const stale = { headers: { 'if-match': '"7"' } }
    expect(await admin.patch(at(id, action), body, stale)).toBeError(412, 'precondition_failed')
    const fresh = { headers: { 'if-match': '"1"' } }
    expect((await admin.patch(at(id, action), body, fresh)).status).toBe(200)
  },
)

test('DELETE /admin/publications/{id} returns 412 for an outdated version', async () => {
  const { id } = await make()
  const call = (tag: string) => admin.delete(at(id), { headers: { 'if-match': tag } })
  expect(await call('"2"')).toBeError(412, 'precondition_failed')
  expect((await call('"1"')).status).toBe(200)
})

test.each([...decisions, ['restore', undefined] as const])(
  'PATCH /admin/publications/{id}/%s returns 404 for an unknown one: %j',
  async (action, body) => {
    for (const id of [uuidv7(), '12'])
      expect(await admin.patch(at(id, action), body)).toBeError(404, 'not_found')
  },
)

test.each(['GET', 'DELETE'])('%s /admin/publications/{id} returns 404 for an unknown one', async (method) => {
  for (const id of [uuidv7(), '12']) expect(await admin.send(method, at(id))).toBeError(404, 'not_found')
})

test('GET /admin/publications/{id} returns 404 for an unknown one', async () => {
  expect(await admin.get(at(uuidv7()))).toBeError(404, 'not_found')
})

test('DELETE /admin/publications/{id} returns 404 for an unknown one', async () => {
  expect(await admin.delete(at(uuidv7()))).toBeError(404, 'not_found')
})

test('of concurrent decisions on the same version one wins and the others get 412', async () => {
  const { id } = await make()
  const headers = { 'if-match': '"1"' }
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      (n % 2 ? admin : moderator).patch(
        at(id, 'moderate'),
        { moderation_status: n % 2 ? 'rejected' : 'published', reason: `${n}` },
        { headers },
      ),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)])
  const won = answers.find(({ status }) => status === 200)
  expect((await stored(id)).moderation_reason).toBe(won?.body.data.moderation_reason)
  expect(await auditEntries(id)).toHaveLength(1)
})

test('concurrent decisions without a version are all applied and audited in sequence', async () => {
  const { id } = await make()
  const reasons = Array.from({ length: 10 }, (_, n) => `${n}`)
  const answers = await Promise.all(
    reasons.map((reason) => admin.patch(at(id, 'moderate'), { moderation_status: 'rejected', reason })),
  )
  // Each response shows its own decision, not a later one.
  expect(answers.map(({ body }) => body.data.moderation_reason)).toEqual(reasons)
  expect(new Set(answers.map(({ body }) => body.data.version)).size).toBe(10)
  const rows = (await auditEntries(id)) as { before: Reason; after: Reason }[]
  type Reason = { moderation_reason?: string | null } | null
  const after = rows.map((row) => row.after?.moderation_reason)
  expect(after.toSorted()).toEqual(reasons)
  const chain = new Map(rows.map((row) => [row.before?.moderation_reason, row.after?.moderation_reason]))
  let reason: string | null | undefined = null
  for (let step = 0; step < 10; step++) reason = chain.get(reason)
  expect((await stored(id)).moderation_reason).toBe(reason)
})

test('GET /admin/publications/{id} says when a resubmitted one was rejected, and what else was in a year', async () => {
  const shop = await world.acteur({ valide: true })
  const { token } = await world.user({ memberships: [{ acteur: shop, role: 'owner' }] })
  const owner = world.client({ source: 'public', token })
  const { id } = await insertPublication(world, { acteur_id: shop.id, ...pending })
  const rejected = { moderation_status: 'rejected', valide: false, moderation_reason: 'Publicité' }
  const { id: refusedId } = await insertPublication(world, {
    ...{ acteur_id: shop.id, title: 'Soldes' },
    ...rejected,
  })
  const created_at = new Date(Date.now() - 370 * 86_400_000)
  await insertPublication(world, { acteur_id: shop.id, ...rejected, created_at })
  const read = async () => (await moderator.get(`/admin/publications/${id}`)).body.data
  expect(await read()).toMatchObject({ rejected_at: null })
  const before = new Date()
  await moderator.patch(`/admin/publications/${id}/moderate`, {
    ...{ moderation_status: 'rejected', reason: 'Sans date' },
  })
  expect(await read()).toMatchObject({ rejected_at: null, resubmitted: false })
  await owner.patch(`/publications/${id}`, { body: 'Samedi 12.' })
  const { rejected_at, ...resubmitted } = await read()
  expect(resubmitted).toMatchObject({
    resubmitted: true,
    moderation_reason: 'Sans date',
    refusals: [{ id: refusedId, titre: 'Soldes', moderation_reason: 'Publicité' }],
  })
  expect(resubmitted.refusals).toHaveLength(1)
  expect(new Date(rejected_at).getTime()).toBeGreaterThanOrEqual(before.getTime() - 1_000)
})
