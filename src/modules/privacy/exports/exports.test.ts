import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { untilWaiting } from '../../../../test/support/locks.ts'
import { openSession } from '../../../../test/support/sessions.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { modules } from '../../../app.ts'
import { identityDigests } from '../../../platform/access/erased-identities.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import type { JobContext } from '../../../platform/jobs/job.ts'
import { erasePerson } from '../erase.ts'
import { defaultSizes, exportHandler, sweepExportsHandler } from './jobs.ts'
import { beginAttempt, insertChunk } from './queries.ts'

const world = await openWorld()
const { as, user, db, jobs, config } = world
const admin = await as('admin')
const tools = { db, modules, jobs, config: world.config, clock: () => new Date() }
const context = (attempt = 1): JobContext => ({ id: 'job', attempt, signal: new AbortController().signal })
const perform = (exportId: string, sizes = defaultSizes, attempt = 1) =>
  exportHandler(tools, sizes).perform({ exportId }, context(attempt))
const request = async (body: object) => {
  const answer = await admin.post('/admin/people/export', body)
  expect(answer.status, answer.text).toBe(202)
  return answer.body.data
}
const read = async (id: string) => (await admin.get(`/admin/people/exports/${id}`)).body.data
const download = (id: string, by = admin) => by.post(`/admin/people/exports/${id}/download`)
const chunks = (id: string) =>
  db.selectFrom('person_export_chunks').select('number').where('export_id', '=', id).execute()
const stored = (id: string) =>
  db.selectFrom('person_exports').selectAll().where('id', '=', id).executeTakeFirst()

test('an export is made by a job, and downloaded once by any administrator', async () => {
  const { id: userId, email } = await user({ nom: 'Odile Vauquelin' })
  const made = await request({ user_id: userId })
  expect(made).toMatchObject({ status: 'queued', sections_done: 0, bytes: null, url: null, can: [] })
  expect(made).toMatchObject({ user_ids: [userId], emails: [email], requested_by_user: { nom: null } })
  expect(await download(made.id)).toBeError(409, 'conflict')
  await perform(made.id)
  const ready = await read(made.id)
  expect(ready).toMatchObject({ status: 'ready', sections_done: ready.sections, can: ['download'] })
  expect(Date.parse(ready.expires_at) - Date.parse(ready.ready_at)).toBe(24 * 3_600_000)
  expect((await admin.get('/admin/people/exports')).body.data[0]).toEqual(ready)
  const answer = await (await as('platform_admin')).send('POST', ready.url.replace('/api/v1', ''))
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-disposition')).toContain('attachment')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.body).toMatchObject({ user_ids: [userId], users: [{ nom: 'Odile Vauquelin' }], claims: [] })
  expect(Buffer.byteLength(answer.text)).toBe(ready.bytes)
  expect(await read(made.id)).toMatchObject({ status: 'fetched', url: null, can: [] })
  expect(await download(made.id)).toBeError(409, 'conflict')
  await expect.poll(() => chunks(made.id)).toEqual([])
  const audited = db.selectFrom('audit_log').select(['action', 'after']).where('entity_id', '=', userId)
  expect(await audited.orderBy('seq').execute()).toEqual([
    { action: 'person.export', after: { exported: true } },
    { action: 'person.download', after: { downloaded: true } },
  ])
})

test('only one of two concurrent downloads gets the content', async () => {
  const { id } = await request({ email: 'nobody@example.org' })
  await perform(id)
  const answers = await Promise.all([download(id), download(id), download(id)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
})

test('a download that breaks off leaves the export ready', async () => {
  const { id } = await request({ email: 'long@example.org' })
  await perform(id)
  // The download does not fit into the buffers on the way.
  const text = JSON.stringify(randomBytes(12_000_000).toString('base64'))
  const content = gzipSync(text, { level: 0 })
  await sql`delete from person_export_chunks where export_id = ${id}`.execute(db)
  for (let number = 0; number * 1_000_000 < content.length; number++) {
    const part = content.subarray(number * 1_000_000, (number + 1) * 1_000_000)
    await db.insertInto('person_export_chunks').values({ export_id: id, number, content: part }).execute()
  }
  const { token } = await user({ roles: ['admin'] })
  const abort = new AbortController()
  const headers = { authorization: `Bearer ${token}`, 'x-app-source': 'backoffice' }
  const url = `${world.url}/api/v1/admin/people/exports/${id}/download`
  const response = await fetch(url, { method: 'POST', headers, signal: abort.signal })
  const reader = response.body?.getReader()
  await reader?.read()
  expect((await stored(id))?.status).toBe('fetched')
  abort.abort()
  await expect.poll(async () => (await stored(id))?.status).toBe('ready')
  const again = await fetch(url, { method: 'POST', headers })
  expect(again.status).toBe(200)
  expect((await again.text()) === text).toBe(true)
  await expect.poll(() => chunks(id)).toEqual([])
})

test('a download that breaks off while the export is taken leaves it ready', async () => {
  const { id } = await request({ email: 'gone@example.org' })
  await perform(id)
  const downloads = () =>
    db.selectFrom('audit_log').select('id').where('action', '=', 'person.download').execute()
  const before = (await downloads()).length
  const { token } = await user({ roles: ['admin'] })
  const headers = { authorization: `Bearer ${token}`, 'x-app-source': 'backoffice' }
  const abort = new AbortController()
  await db.transaction().execute(async (tx) => {
    await tx.selectFrom('person_exports').select('id').where('id', '=', id).forUpdate().execute()
    const url = `${world.url}/api/v1/admin/people/exports/${id}/download`
    const asked = fetch(url, { method: 'POST', headers, signal: abort.signal }).catch(() => null)
    await untilWaiting(db)
    abort.abort()
    await asked
    // Time for the service to see the closed connection before it has the row.
    await sleep(200)
  })
  await expect.poll(async () => (await downloads()).length).toBe(before + 1)
  await expect.poll(async () => (await stored(id))?.status).toBe('ready')
  expect((await download(id)).status).toBe(200)
})

test('a job that was killed begins again, and what the dead attempt writes later is refused', async () => {
  const { id } = await request({ user_id: (await user({ nom: 'Odile' })).id })
  const dead = await db.transaction().execute((tx) => beginAttempt(tx, id))
  if (dead === null) throw new Error('the first attempt did not begin')
  expect(await insertChunk(db, dead, 0, Buffer.from('half an export'))).toBe(true)
  expect(await insertChunk(db, dead, 7, Buffer.from('its end'))).toBe(true)
  await Promise.all([perform(id), perform(id)])
  expect(await insertChunk(db, dead, 8, Buffer.from('too late'))).toBe(false)
  expect(await stored(id)).toMatchObject({ status: 'ready' })
  expect((await download(id)).body).toMatchObject({ users: [{ nom: 'Odile' }] })
})

test('an export whose job was lost is enqueued again; an expired one is deleted', async () => {
  const lost = await request({ email: 'lost@example.org' })
  const late = await request({ email: 'late@example.org' })
  await perform(late.id)
  await sql`delete from pgboss.job where name = 'privacy.export'`.execute(db)
  await sql`update person_exports set created_at = now() - interval '11 minutes' where id = ${lost.id}`.execute(
    db,
  )
  await sql`update person_exports set expires_at = now() - interval '1 second' where id = ${late.id}`.execute(
    db,
  )
  expect(await admin.get(`/admin/people/exports/${late.id}`)).toBeError(404, 'not_found')
  expect(await download(late.id)).toBeError(404, 'not_found')
  const sweep = () => sweepExportsHandler({ db, jobs }).perform({}, context())
  await Promise.all([sweep(), sweep()])
  const { rows } = await sql`select data from pgboss.job where name = 'privacy.export'`.execute(db)
  expect(rows).toEqual([{ data: { exportId: lost.id } }])
  expect(await stored(late.id)).toBeUndefined()
  expect(await chunks(late.id)).toEqual([])
})

test('an export beyond the size limit fails at once and says so; one that keeps failing, after its last attempt', async () => {
  const large = await request({ user_id: (await user()).id })
  await perform(large.id, { ...defaultSizes, maxBytes: 100 })
  expect(await read(large.id)).toMatchObject({ status: 'failed', error: 'too_large', url: null, can: [] })
  expect(await chunks(large.id)).toEqual([])
  const failing = await request({ email: 'failing@example.org' })
  const broken = {
    name: 'broken',
    personal: [
      {
        ...{
          name: 'x',
          title: { en: '', fr: '' },
          erasure: { en: '', fr: '' },
          kind: null,
          find: () => sql``,
        },
        // biome-ignore lint/correctness/useYield: it fails before its first row
        async *read(): AsyncGenerator<object> {
          throw new Error('unreadable')
        },
      },
    ],
    about: '',
  }
  const run = (attempt: number) =>
    exportHandler({ ...tools, modules: [broken] }).perform({ exportId: failing.id }, context(attempt))
  await expect(run(1)).rejects.toThrow('unreadable')
  expect(await stored(failing.id)).toMatchObject({ status: 'running' })
  await expect(run(5)).rejects.toThrow('unreadable')
  expect(await read(failing.id)).toMatchObject({ status: 'failed', error: 'failed' })
})

test('an erasure deletes the exports of the person, also one in progress', async () => {
  const { id: userId, email } = await user()
  const byAddress = await request({ email })
  const running = await request({ user_id: userId })
  const other = await request({ email: 'other@example.org' })
  const attempt = await db.transaction().execute((tx) => beginAttempt(tx, running.id))
  const digests = identityDigests(config)
  const erase = () => erasePerson({ ...tools, digests }, { user: userId })
  const [answer, erased] = await Promise.all([admin.post('/admin/people/export', { email }), erase()])
  expect([202, 422]).toContain(answer.status)
  expect(erased.changed.person_exports).toEqual(expect.arrayContaining([byAddress.id, running.id]))
  if (attempt === null) throw new Error('the attempt did not begin')
  expect(await insertChunk(db, attempt, 0, Buffer.from('x'))).toBe(false)
  await perform(running.id)
  expect(await stored(running.id)).toBeUndefined()
  expect(await stored(other.id)).toBeDefined()
  const { rows } = await sql`select from pgboss.job where data::text like ${`%${running.id}%`}`.execute(db)
  expect(rows).toEqual([])
})

test('a repeated request with the same Idempotency-Key makes one export', async () => {
  const headers = { 'idempotency-key': 'once' }
  const ask = () => admin.post('/admin/people/export', { email: 'twice@example.org' }, { headers })
  const [first, second] = [await ask(), await ask()]
  expect(second.body).toEqual(first.body)
  const { rows } = await sql`select from person_exports where emails = '{twice@example.org}'`.execute(db)
  expect(rows).toHaveLength(1)
})

test('requires a fresh confirmation of a session for request and download', async () => {
  const { id: adminId } = await user({ roles: ['admin'] })
  const session = await openSession(db, adminId, { hasShownFactor: true })
  const browser = world.client({ source: 'backoffice', headers: session.headers })
  const confirmed = (until: string | null) =>
    sql`update sessions set confirmed_until = ${until}::timestamptz where id = ${session.id}`.execute(db)
  await confirmed(null)
  const ask = () => browser.post('/admin/people/export', { email: 'fresh@example.org' })
  expect(await ask()).toBeError(403, 'confirmation_required')
  await confirmed('2126-01-01')
  const { id } = (await ask()).body.data
  await perform(id)
  await confirmed(null)
  expect(await browser.post(`/admin/people/exports/${id}/download`)).toBeError(403, 'confirmation_required')
  expect((await browser.get(`/admin/people/exports/${id}`)).status).toBe(200)
})

test('returns 404 for an unknown export, and 422 for an unknown person', async () => {
  expect(await admin.get(`/admin/people/exports/${uuidv7()}`)).toBeError(404, 'not_found')
  expect(await download(uuidv7())).toBeError(404, 'not_found')
  expect(await admin.post('/admin/people/export', { user_id: uuidv7() })).toBeError(422, 'validation_failed')
  expect(await admin.post('/admin/people/export', {})).toBeError(422, 'validation_failed')
  expect(await admin.get('/admin/people/exports?x=1')).toBeError(422, 'validation_failed')
})
