import { connect } from 'node:net'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openSession } from '../../../test/support/sessions.ts'
import { openWorld, run } from '../../../test/support/world.ts'
import { insertPublication } from '../publications/publications.test-kit.ts'
import { deleteOldLinks } from './module.ts'

const world = await openWorld()
const { as, app, client, config, db, database, user } = world
const admin = await as('admin')

await run(
  database.owner,
  `insert into publications (id, slug, title, body, duplicate_key, moderation_status)
   select ('01890000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'p-' || n, 'Titre ' || n, repeat('Texte ', 500),
     's:' || md5(n::text), case when n % 2 = 0 then 'pending' else 'rejected' end
   from generate_series(1, 2400) n`,
)

/** A colleague in a browser: downloads need no header but the cookie. */
async function colleague(...roles: NonNullable<Parameters<typeof user>[0]>['roles'] & object) {
  const { id } = await user({ roles })
  const { headers } = await openSession(db, id)
  const own = { ...headers, origin: config.publicUrl }
  const its = client({ source: 'backoffice', headers: own })
  return { id, headers: own, its, browser: client({ source: null, headers }) }
}
const zoe = await colleague('moderator')
const lea = await colleague('moderator')

const wanted = {
  list: 'publications',
  query: 'moderation_status=pending&sort=created_at_asc&per_page=5&page=9',
}
async function addressOf(by = zoe, body: object = wanted, headers: Record<string, string> = {}) {
  const answer = await by.its.send('POST', '/admin/exports', body, { headers: { ...by.headers, ...headers } })
  expect(answer.status, answer.text).toBe(201)
  return pathOf(answer.body.data.url)
}
const pathOf = (url: string) => new URL(url).pathname.replace('/api/v1', '')
const exportsOf = (id: string) =>
  db
    .selectFrom('audit_log')
    .select(['entity', 'after', 'before'])
    .where('action', '=', 'export.create')
    .where('user_id', '=', id)
    .orderBy('seq')
    .execute()

test('POST /admin/exports returns 201 with an address that serves the file, once', async () => {
  const answer = await zoe.its.post('/admin/exports', wanted)
  expect(answer.body.data.url).toMatch(new RegExp(`^${config.publicUrl}/api/v1/admin/exports/[\\w-]{43}$`))
  const path = pathOf(answer.body.data.url)
  const file = await zoe.browser.get(path)
  expect(file.status).toBe(200)
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(file.headers.get('content-disposition')).toMatch(
    /^attachment; filename="publications-\d{4}-\d\d-\d\d\.csv"$/,
  )
  expect(file.headers.get('cache-control')).toBe('no-store')
  const rows: Record<string, string>[] = parse(file.text, { columns: true })
  expect(rows).toHaveLength(1_200)
  expect(new Set(rows.map(({ moderation_status }) => moderation_status))).toEqual(new Set(['pending']))
  expect(rows[0]?.id).toBe('01890000-0000-7000-8000-000000000002')
  expect(await zoe.browser.get(path)).toBeError(404, 'not_found')
})

test('audits the export once, with the list and the names of its filters', async () => {
  const { id } = lea
  const path = await addressOf(lea, {
    list: 'publications',
    query: 'q=vauquelin&moderation_status=pending&sort=titre_asc',
  })
  await lea.browser.get(path)
  await lea.browser.get(path)
  expect(await exportsOf(id)).toEqual([
    { entity: 'export', before: null, after: { list: 'publications', filters: ['moderation_status', 'q'] } },
  ])
})

test('the file is in the language of the application, not of the browser', async () => {
  const path = await addressOf(zoe, wanted, { 'accept-language': 'fr' })
  const { text } = await zoe.browser.get(path, { headers: { ...zoe.headers, 'accept-language': 'en' } })
  expect(text.split('\r\n', 1)[0]).toContain('id;')
})

test('the texts in the file are in the language of the application too', async () => {
  const one = await colleague('admin')
  await addressOf(one)
  const list = { list: 'audit', query: `user_id=${one.id}&action=export.create` }
  const path = await addressOf(one, list, { 'accept-language': 'fr' })
  const { text } = await one.browser.get(path, { headers: { ...one.headers, 'accept-language': 'en' } })
  const rows: Record<string, string>[] = parse(text, { columns: true, delimiter: ';', bom: true })
  const { body } = await one.its.get(`/admin/audit?${list.query}`, {
    headers: { ...one.headers, 'accept-language': 'fr' },
  })
  expect(rows.map(({ summary }) => summary)).toEqual(
    body.data.map(({ summary }: { summary: string }) => summary),
  )
})

test('an export by the id of a merged acteur has the rows of its target', async () => {
  const [old, target] = [await world.acteur(), await world.acteur()]
  const [{ id: publication }] = [await insertPublication(world, { acteur_id: target.id })]
  expect((await admin.post(`/admin/acteurs/${old.id}/merge`, { into: target.id })).status).toBe(202)
  const one = await colleague('admin')
  const ids = async (list: string, query: string) => {
    const { text } = await one.browser.get(await addressOf(one, { list, query }))
    const rows: Record<string, string>[] = parse(text, { columns: true })
    return rows.map((row) => row.id)
  }
  expect(await ids('publications', `acteur_id=${old.id}`)).toEqual([publication])
  expect(await ids('acteurs', `ids=${old.id.toUpperCase()}`)).toEqual([target.id])
})

test('an address serves nobody but its user, and a request without a session gets 401', async () => {
  const path = await addressOf()
  expect(await lea.browser.get(path)).toBeError(404, 'not_found')
  expect(await client({ source: null }).get(path)).toBeError(401, 'unauthenticated')
  expect((await zoe.browser.get(path)).status).toBe(200)
})

test('returns 404 for an expired, an unknown and a malformed address', async () => {
  const path = await addressOf()
  await sql`update export_links set expires_at = now() - interval '1 second'`.execute(db)
  expect(await zoe.browser.get(path)).toBeError(404, 'not_found')
  expect(await zoe.browser.get(`/admin/exports/${'a'.repeat(43)}`)).toBeError(404, 'not_found')
  expect(await zoe.browser.get('/admin/exports/x')).toBeError(404, 'not_found')
})

test('of concurrent requests for one address, one gets the file', async () => {
  const path = await addressOf()
  const answers = await Promise.all([zoe.browser.get(path), zoe.browser.get(path)])
  expect(answers.map(({ status }) => status).sort()).not.toEqual([200, 200])
  expect(answers.some(({ status }) => status === 200)).toBe(true)
})

test('returns 403 once the user has lost the role, also for an address made before', async () => {
  const left = await colleague('moderator')
  const path = await addressOf(left)
  expect((await admin.delete(`/admin/users/${left.id}/roles/moderator`)).status).toBe(200)
  expect(await left.browser.get(path)).toBeError(403, 'admin_required')
})

test('POST /admin/exports returns 403 for a list that the role does not open', async () => {
  const support = await as('support')
  expect(await support.post('/admin/exports', wanted)).toBeError(403, 'admin_required')
  const body = { list: 'notes', query: 'kind=publication&id=01890000-0000-7000-8000-000000000002' }
  expect(await support.post('/admin/exports', body)).toBeError(403, 'admin_required')
  expect((await zoe.its.post('/admin/exports', body)).status).toBe(201)
})

test('POST /admin/exports returns 422 for an unknown list and for invalid filters, and audits nothing', async () => {
  const one = await colleague('admin')
  const refused = async (body: object) => {
    const answer = await one.its.post('/admin/exports', body)
    expect(answer).toBeError(422, 'validation_failed')
    return answer.body.details.map(({ field }: { field: string }) => field)
  }
  for (const list of ['nothing', 'counts', 'publications/x/history', 'dashboard', '../publications', ''])
    expect(await refused({ list })).toEqual(['list'])
  expect(await refused({ list: 'publications', query: 'moderation_satus=pending' })).toEqual([
    'query.moderation_satus',
  ])
  expect(await refused({ list: 'publications', query: 'sort=x&since=yesterday' })).toEqual([
    'query.sort',
    'query.since',
  ])
  expect(await refused({ list: 'notes' })).toEqual(['query.kind', 'query.id'])
  expect(await refused({ list: 'publications', query: 'x'.repeat(2_001) })).toContain('query')
  expect(await exportsOf(one.id)).toEqual([])
})

test('POST /admin/exports exports the list of a record, and returns 404 for an unknown one', async () => {
  const list = (n: number) => `publications/01890000-0000-7000-8000-${String(n).padStart(12, '0')}/reports`
  const file = await zoe.browser.get(await addressOf(zoe, { list: list(2) }))
  expect(file.headers.get('content-disposition')).toContain('"publications-reports-')
  expect(await zoe.its.post('/admin/exports', { list: list(9_999) })).toBeError(404, 'not_found')
})

test('returns 503 while two files are written, and the address works afterwards', async () => {
  const path = await addressOf(lea)
  const { port } = app.server.server.address() as { port: number }
  const paths = [
    await addressOf(zoe, { list: 'publications' }),
    await addressOf(zoe, { list: 'publications' }),
  ]
  const stalled = paths.map((each) => stalledAt(port, each, zoe.headers.cookie))
  await expect.poll(() => stalled.every(({ begun }) => begun())).toBe(true)
  const refused = await lea.browser.get(path)
  expect(refused).toBeError(503, 'unavailable')
  expect(refused.headers.get('retry-after')).toBe('30')
  expect(await lea.its.post('/admin/exports', wanted)).toBeError(503, 'unavailable')
  for (const { socket } of stalled) socket.destroy()
  await expect.poll(async () => (await lea.browser.get(path)).status).toBe(200)
})

/** Opens an address and stops reading once the response begins. */
function stalledAt(port: number, path: string, cookie: string) {
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET /api/v1${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`)
  let received = 0
  socket.on('data', (data) => {
    received += data.length
    socket.pause()
  })
  return { socket, begun: () => received > 0 }
}

test('unused addresses are deleted once they have expired, in batches', async () => {
  await sql`delete from export_links`.execute(db)
  await addressOf()
  await addressOf()
  const kept = await addressOf()
  await sql`update export_links set expires_at = now() - interval '1 second'
    where id in (select id from export_links order by id limit 2)`.execute(db)
  expect(await deleteOldLinks(db, 1)).toBe(1)
  expect(await deleteOldLinks(db, 5)).toBe(1)
  expect(await deleteOldLinks(db, 5)).toBe(0)
  expect((await zoe.browser.get(kept)).status).toBe(200)
})

test('HEAD does not use the address up', async () => {
  const path = await addressOf()
  expect((await zoe.browser.send('HEAD', path)).status).toBe(404)
  expect((await zoe.browser.get(path)).status).toBe(200)
})
