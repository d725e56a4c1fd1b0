import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { auditedValues, insertPublication, openAssociation } from '../publications.test-kit.ts'

const world = await openWorld({ env: { TRUST_PROXY: 'loopback' } })
const { db } = world
// A second report of the same day does not count: midnight in Paris must not come in between.
world.setClock(new Date().toISOString())
const { acteur, commune } = await openAssociation(world)
const publication = () => insertPublication(world, { acteur_id: acteur.id, commune_id: commune.id })
const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } })
const reportsOf = (id: string) =>
  db.selectFrom('publication_reports').selectAll().where('publication_id', '=', id).execute()

test('POST /publications/{id}/report returns 201 and stores the report', async () => {
  const { id } = await publication()
  const said = { reason: 'Faux', category: 'wrong', message: 'La fête est annulée.' }
  const answer = await world.post(`/publications/${id}/report`, { ...said, inconnu: { a: 1 } })
  expect(answer.status).toBe(201)
  const [row, ...more] = await reportsOf(id)
  expect(more).toEqual([])
  expect(answer.body).toEqual({ data: { id: row?.id, status: 'received' } })
  expect(row).toMatchObject({ ...said, closed_at: null })
  expect(row?.caller_key).not.toContain('127.0.0.1')
  const auditEntries = await auditedValues(world, id)
  expect(auditEntries).toHaveLength(1)
  expect(auditEntries[0]).toMatchObject({
    action: 'publication.report',
    user_id: null,
    after: { report_id: row?.id, category: 'wrong', reason: '(personal)', message: '(personal)' },
  })
})

test('a report may be empty', async () => {
  for (const body of [undefined, {}, { category: 'spam' }, { reason: '' }]) {
    const { id } = await publication()
    expect((await world.post(`/publications/${id}/report`, body)).status).toBe(201)
  }
  const { id } = await publication()
  const call = { headers: { 'content-type': 'text/plain' } }
  expect((await world.post(`/publications/${id}/report`, undefined, call)).status).toBe(201)
})

test('POST /publications/{id}/report returns 404', async () => {
  const pending = await insertPublication(world, { moderation_status: 'pending', valide: false })
  for (const id of [pending.id, '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e', 'nonsense']) {
    expect(await world.post(`/publications/${id}/report`, {})).toBeError(404, 'not_found')
  }
})

test.each<[string, unknown]>([
  ['reason', { reason: 'a'.repeat(501) }],
  ['message', { message: 'a'.repeat(1_001) }],
  ['message', { message: 'a\u0000' }],
  ['category', { category: 'boring' }],
  ['reason', { reason: 12 }],
  ['', []],
  ['', null],
])('POST /publications/{id}/report answers 422: %s %#', async (field, body) => {
  const { id } = await publication()
  const answer = await world.post(`/publications/${id}/report`, JSON.stringify(body))
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details[0].field).toBe(field)
  expect(await reportsOf(id)).toEqual([])
})

test('refuses an invalid token', async () => {
  const { id } = await publication()
  expect(await world.post(`/publications/${id}/report`, {}, { token: 'x.y.z' })).toBeError(
    401,
    'unauthenticated',
  )
})

test('the same caller on the same day gets the same response, also for 20 concurrent requests', async () => {
  const { token } = await world.user()
  for (let round = 0; round < (process.env.PARVIS_TEST_LONG ? 20 : 2); round++) {
    for (const call of [{ token }, from('192.0.2.7')]) {
      const { id } = await publication()
      const path = `/publications/${id}/report`
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => world.post(path, { reason: 'x' }, call)),
      )
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
      const again = await world.post(path, { reason: 'y' }, call)
      expect(again.text).toBe(answers[0]?.text)
      const rows = await reportsOf(id)
      expect(rows.map(({ reason }) => reason)).toEqual(['x'])
      expect(await auditedValues(world, id)).toHaveLength(1)
    }
  }
})

test('a new report after a decision counts, even from the same caller on the same day', async () => {
  const admin = await world.as('moderator')
  const { id } = await publication()
  const path = `/publications/${id}/report`
  const read = async () => (await admin.get(`/admin/publications/${id}`)).body.data
  const decide = () => admin.patch(`/admin/publications/${id}/moderate`, { moderation_status: 'published' })
  const first = await world.post(path, { category: 'spam' })
  await decide()
  const second = await world.post(path, { category: 'wrong' })
  expect(second.body.data.id).not.toBe(first.body.data.id)
  expect((await world.post(path)).body).toEqual(second.body)
  const { reports, reports_open } = await read()
  expect(reports_open).toBe(1)
  expect(reports).toMatchObject([
    { id: second.body.data.id, category: 'wrong', closed_at: null },
    { id: first.body.data.id, category: 'spam', closed_at: expect.any(String) },
  ])
  await decide()
  expect((await read()).reports_open).toBe(0)
})

test('no concurrent report is lost: each is open after the decision or closed by it', async () => {
  const admin = await world.as('moderator')
  for (let round = 0; round < (process.env.PARVIS_TEST_LONG ? 50 : 5); round++) {
    const { id } = await publication()
    const tell = () => world.post(`/publications/${id}/report`)
    const decide = () => admin.patch(`/admin/publications/${id}/moderate`, { moderation_status: 'published' })
    const answers = await Promise.all([tell(), decide(), tell(), decide(), tell()])
    for (const { status } of answers) expect([200, 201]).toContain(status)
    const rows = await reportsOf(id)
    expect(rows.filter(({ closed_at }) => closed_at === null).length).toBeLessThanOrEqual(1)
    const told = answers.flatMap(({ status, body }) => (status === 201 ? [body.data.id] : []))
    expect(new Set(told)).toEqual(new Set(rows.map((row) => row.id)))
  }
})

test('GET /admin/publications/{id}/reports returns 200 with all reports, newest first, paged', async () => {
  const admin = await world.as('moderator')
  const { id } = await publication()
  const path = `/admin/publications/${id}/reports`
  expect((await admin.get(path)).body).toEqual({
    data: [],
    meta: { current_page: 1, last_page: 1, per_page: 25, total: 0, next: null },
  })
  const values = Array.from({ length: 60 }, (_, n) => ({
    id: uuidv7(),
    publication_id: id,
    caller_key: `caller ${n}`,
    day: '2026-11-20',
    category: n % 2 ? 'spam' : null,
    message: `Message ${n}`,
    created_at: new Date(Date.UTC(2026, 10, 20, 8, n)),
    closed_at: n % 3 ? null : new Date(),
  }))
  await db.insertInto('publication_reports').values(values).execute()
  const seen = []
  for (const page of [1, 2, 3]) {
    const { body } = await admin.get(`${path}?page=${page}&per_page=25`)
    expect(body.meta).toMatchObject({ current_page: page, last_page: 3, per_page: 25, total: 60 })
    seen.push(...body.data)
  }
  expect(seen.map(({ id }) => id)).toEqual(values.map(({ id }) => id).reverse())
  const [newest] = seen
  expect(newest).toEqual({
    id: values[59]?.id,
    category: 'spam',
    reason: null,
    message: 'Message 59',
    created_at: '2026-11-20T08:59:00.000Z',
    closed_at: null,
  })
  const { data } = (await admin.get(`/admin/publications/${id}`)).body
  expect(data.reports).toEqual(seen.slice(0, 50))
  expect(data.reports_open).toBe(40)
})

test('GET /admin/publications/{id}/reports returns 404 and 422', async () => {
  const admin = await world.as('moderator')
  const { id } = await publication()
  for (const other of [uuidv7(), 'nonsense'])
    expect(await admin.get(`/admin/publications/${other}/reports`)).toBeError(404, 'not_found')
  for (const query of ['page=0', 'closed=true'])
    expect(await admin.get(`/admin/publications/${id}/reports?${query}`)).toBeError(422, 'validation_failed')
})

test('another user, address, publication or day counts separately', async () => {
  const [one, two] = [await publication(), await publication()]
  const path = `/publications/${one.id}/report`
  const [first, second] = [await world.user(), await world.user()]
  const calls = [
    { token: first.token },
    { token: second.token },
    from('192.0.2.1'),
    from('192.0.2.2'),
    from('2001:db8::1'),
  ]
  const ids = []
  for (const call of calls) ids.push((await world.post(path, {}, call)).body.data.id)
  ids.push((await world.post(`/publications/${two.id}/report`, {}, calls[0])).body.data.id)
  expect(new Set(ids).size).toBe(6)
  // One line owns a whole /64.
  expect((await world.post(path, {}, from('2001:db8::ffff'))).body.data.id).toBe(ids[4])
  // A user is the same from any address.
  expect((await world.post(path, {}, { token: first.token, ...from('198.51.100.1') })).body.data.id).toBe(
    ids[0],
  )
})

test('the day is that of Paris, and an address cannot be linked across days', async () => {
  const { id } = await publication()
  const seen = []
  // In winter Paris is one hour ahead.
  for (const now of ['2026-11-20T22:30:00Z', '2026-11-20T22:59:59Z', '2026-11-20T23:00:00Z']) {
    world.setClock(now)
    seen.push((await world.post(`/publications/${id}/report`)).body.data.id)
  }
  expect(seen[1]).toBe(seen[0])
  expect(seen[2]).not.toBe(seen[0])
  const rows = await reportsOf(id)
  expect(rows.map(({ day }) => day).sort()).toEqual(['2026-11-20', '2026-11-21'])
  expect(new Set(rows.map(({ caller_key }) => caller_key)).size).toBe(2)
})

test('POST /publications/{id}/report returns 429 above its limit', async () => {
  const strict = await openWorld({ env: { RATE_LIMIT_REPORT: '2/hour' } })
  const { id } = await insertPublication(strict)
  for (let time = 0; time < 2; time++)
    expect((await strict.post(`/publications/${id}/report`)).status).toBe(201)
  expect(await strict.post(`/publications/${id}/report`)).toBeError(429, 'rate_limited')
})
