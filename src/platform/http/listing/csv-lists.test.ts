import { connect } from 'node:net'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { openWorld, run } from '../../../../test/support/world.ts'

const world = await openWorld()
const { as, app, db, database, pools } = world
const admin = await as('admin')
const moderator = await as('moderator')

const count = 2_500
await run(
  database.owner,
  `insert into publications (id, slug, title, body, duplicate_key)
   select ('01890000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'p-' || n, '=Titre ' || n, repeat('Texte ', 500),
     's:' || md5(n::text)
   from generate_series(1, ${count}) n`,
)

const csv = { headers: { accept: 'text/csv' } }
const french = { headers: { accept: 'text/csv, application/json;q=0.5', 'accept-language': 'fr' } }
const rowsIn = (text: string, delimiter = ','): Record<string, string>[] =>
  parse(text, { columns: true, delimiter, bom: true })
const until = (condition: () => unknown) => expect.poll(condition).toBeTruthy()

test('GET /admin/publications as CSV returns 200 with all rows that match the filters, in list order', async () => {
  const answer = await moderator.get('/admin/publications?sort=created_at_asc&per_page=5&page=2', csv)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="publications-.*\.csv"$/)
  const rows = rowsIn(answer.text)
  expect(rows.map(({ title }) => title)).toHaveLength(count)
  expect(new Set(rows.map(({ id }) => id)).size).toBe(count)
  const { body } = await moderator.get('/admin/publications?sort=created_at_asc&per_page=3')
  const listed = body.data.map(({ id }: { id: string }) => id)
  expect(rows.slice(0, 3).map(({ id }) => id)).toEqual(listed)
  expect(rows[0]?.title).toMatch(/^'=Titre/)
})

test('returns a French file if the client prefers French', async () => {
  const { id } = await world.user({ nom: 'Zoé; Martin' })
  const { text } = await admin.get(`/admin/users?ids=${id}`, french)
  expect(Buffer.from(text).toString()).toContain('id;')
  expect(rowsIn(text, ';')).toMatchObject([{ id, nom: 'Zoé; Martin' }])
})

test('returns JSON if the client accepts both equally', async () => {
  const { body } = await admin.get('/admin/users', { headers: { accept: 'application/json, text/csv' } })
  expect(body.meta.total).toBeGreaterThan(0)
})

test('audits the list and the names of the filters, but no values', async () => {
  await moderator.get('/admin/publications?q=fromage&moderation_status=pending&sort=titre_asc', csv)
  const { body } = await admin.get('/admin/audit?action=export.create&per_page=1')
  expect(body.data[0]).toMatchObject({
    entity: 'export',
    after: { list: 'publications', filters: ['moderation_status', 'q'] },
  })
  expect(JSON.stringify(body.data)).not.toContain('fromage')
})

test('returns the same errors as the list, and audits nothing', async () => {
  const before = await exports()
  expect(await moderator.get('/admin/users', csv)).toBeError(403, 'admin_required')
  expect(await moderator.get('/admin/publications?sort=x', csv)).toBeError(422, 'validation_failed')
  const nobody = '/admin/publications/01890000-0000-7000-8000-999999999999/reports'
  expect(await moderator.get(nobody, csv)).toBeError(404, 'not_found')
  expect(await exports()).toBe(before)
})

/** Opens clients that ask for a file and read only its beginning. */
async function stall(clients: number, { server }: typeof app) {
  const { token } = await world.user({ roles: ['moderator'] })
  const { port } = server.server.address() as { port: number }
  const stalled = Array.from({ length: clients }, () => {
    const socket = connect(port, '127.0.0.1')
    socket.write(
      `GET /api/v1/admin/publications HTTP/1.1\r\nHost: localhost\r\nAccept: text/csv\r\nX-App-Source: backoffice\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    )
    let received = 0
    socket.on('data', (data) => {
      received += data.length
      // From here on the client reads nothing.
      socket.pause()
    })
    return { socket, begun: () => received > 0 }
  })
  await until(() => stalled.every(({ begun }) => begun()))
  return stalled
}

test('an instance with a limit of one file refuses a second one', async () => {
  const one = await openWorld({ database, csvLimit: 1 })
  const stalled = await stall(1, one.app)
  const second = await (await one.as('moderator')).get('/admin/publications', csv)
  expect(second).toBeError(503, 'unavailable')
  for (const { socket } of stalled) socket.destroy()
})

test('two stalled clients hold no connection, a third gets 503, and slots are released', async () => {
  const stalled = await stall(2, app)
  const third = await moderator.get('/admin/publications', csv)
  expect(third).toBeError(503, 'unavailable')
  expect(third.headers.get('retry-after')).toBe('30')
  await until(() => Object.values(pools).every((pool) => pool.idleCount === pool.totalCount))
  for (const { socket } of stalled) socket.destroy()
  await until(async () => (await moderator.get(`/admin/publications?ids=${someId}`, csv)).status === 200)
})

const someId = '01890000-0000-7000-8000-000000000001'

async function exports(): Promise<number> {
  const rows = await db.selectFrom('audit_log').select('id').where('action', '=', 'export.create').execute()
  return rows.length
}
