import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { modules } from '../../../app.ts'
import { identityDigests } from '../../../platform/access/erased-identities.ts'
import { tokenOf } from '../../../platform/access/sealed-addresses.ts'
import { erasePerson } from '../../privacy/erase.ts'
import { exportPerson } from '../../privacy/export.ts'
import { auditedValues, insertPublication } from '../publications.test-kit.ts'
import { reporterAddresses } from './addresses.ts'
import { confirmReporter, findReporter } from './confirming.ts'
import { reportsKit } from './reports.test-kit.ts'
import { deleteOldReporters, rekeyReporters } from './sweep.ts'

const world = await openWorld({ env: { TRUST_PROXY: 'loopback' } })
const { db, config, jobs, outbox } = world
const { addresses, another, mailsOf, send } = reportsKit(world)
const { signal } = new AbortController()
const tools = { db, jobs, modules, config, outbox, clock: () => new Date(), digests: identityDigests(config) }

const publication = () => insertPublication(world, { title: 'Fête' })
const report = (id: string, body: object, call: object = another()) =>
  world.post(`/publications/${id}/report`, body, call)
const reportersOf = (publicationId: string) =>
  sql<{ id: string; address: Buffer; confirmed_at: Date | null }>`
    select r.* from reporters r where exists (
      select from case_reporters f join report_cases c on c.id = f.case_id
      where f.reporter_id = r.id and c.publication_id = ${publicationId})`
    .execute(db)
    .then(({ rows }) => rows)
/** Lets so much time pass for the receipts. */
const pass = (time: string) =>
  sql`update report_mails set created_at = created_at - ${time}::interval`.execute(db)

test('whoever gives an address gets one receipt, and is neither in the audit log nor shown to moderators', async () => {
  const { id } = await publication()
  const said = { category: 'wrong', email: ' Odile@Example.org ', name: 'Odile Vauquelin' }
  const { status, body } = await report(id, said)
  expect([status, body]).toEqual([201, { data: { id: expect.any(String), status: 'received' } }])
  const [row] = await reportersOf(id)
  expect(addresses.open(row?.id ?? '', row?.address ?? Buffer.of())).toMatchObject({
    address: 'Odile@example.org',
    name: 'Odile Vauquelin',
  })
  const mails = await send()
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
    ['Odile@example.org', 'Votre signalement : « Fête »'],
  ])
  // Nobody has confirmed the address: the name could be anything.
  expect(mails[0]?.text).toMatch(/^Bonjour,\n/)
  expect(await send()).toEqual([])
  const moderator = await world.as('admin')
  const seen = [
    await auditedValues(world, id),
    (await moderator.get(`/admin/publications/${id}`)).body,
    (await moderator.get(`/admin/publications/${id}/reports`)).body,
    (await moderator.get('/admin/reports')).body,
    (await moderator.get('/admin/mails')).body,
  ]
  expect(JSON.stringify(seen)).not.toMatch(/odile/i)
})

test.each<[string, unknown]>([
  ['email', { email: 'odile' }],
  ['email', { email: 'jean@gmail' }],
  ['email', { email: 'a@example.org, b@example.org' }],
  ['email', { email: 'a@example.org\r\nBcc: b@example.org' }],
  ['email', { email: 'a\u0000@example.org' }],
  ['email', { email: 12 }],
  ['name', { name: 'a'.repeat(201) }],
  ['name', { name: 'a\u0000' }],
])('POST /publications/{id}/report returns 422 for %s: %j', async (field, body) => {
  const { id } = await publication()
  const answer = await report(id, body as object)
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details[0].field).toBe(field)
  const rows = await db.selectFrom('publication_reports').where('publication_id', '=', id).execute()
  expect(rows).toEqual([])
})

test('an empty address is none', async () => {
  const { id } = await publication()
  expect((await report(id, { email: ' ', name: '' })).status).toBe(201)
  expect(await reportersOf(id)).toEqual([])
})

test('an address gets a receipt an hour and three a day; reports behind that are stored the same', async () => {
  const email = 'bombed@example.org'
  const kinds = async (time: string) => {
    await pass(time)
    const { id } = await publication()
    const { status } = await report(id, { email })
    expect([status, (await reportersOf(id)).length]).toEqual([201, 1])
    return (await mailsOf(id)).map(({ kind }) => kind)
  }
  expect(await kinds('0')).toEqual(['receipt'])
  expect(await kinds('59 minutes')).toEqual([])
  expect(await kinds('1 minute')).toEqual(['receipt'])
  expect(await kinds('61 minutes')).toEqual(['receipt'])
  expect(await kinds('61 minutes')).toEqual([])
  expect(await kinds('21 hours')).toEqual(['receipt'])
})

test('reports at the same time send an address one receipt', async () => {
  const email = 'race@example.org'
  const ids = await Promise.all(Array.from({ length: 8 }, async () => (await publication()).id))
  const answers = await Promise.all(ids.flatMap((id) => [report(id, { email }), report(id, { email })]))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  const mails = await Promise.all(ids.map(mailsOf))
  expect(mails.flat()).toHaveLength(1)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from case_reporters f join reporters r on r.id = f.reporter_id
    where r.address_digest = any(${addresses.digests(email)}::bytea[])`.execute(db)
  expect(rows).toEqual([{ count: 8 }])
})

test('the same caller may add an address to their report, and another reporter behind the same address theirs', async () => {
  await send()
  const { id } = await publication()
  const call = another()
  const first = await report(id, { category: 'spam' }, call)
  for (const email of ['one@example.org', 'one@example.org', 'two@example.org'])
    expect((await report(id, { email }, call)).body).toEqual(first.body)
  expect(await reportersOf(id)).toHaveLength(2)
  expect((await send()).map(({ to }) => to)).toEqual(['one@example.org', 'two@example.org'])
})

test('a receipt has a link that confirms the address, once; a forged link finds nothing', async () => {
  const { id } = await publication()
  await report(id, { email: 'link@example.org', name: 'Zoé' })
  const [mail] = await send()
  const token = /\/signalement\/([\w-]+)\n/.exec(mail?.text ?? '')?.[1] ?? ''
  const found = await findReporter(db, addresses, token)
  expect(found).toMatchObject({ isConfirmed: false })
  if (found === null) throw new Error('not found')
  for (const other of [tokenOf(found.id, 'a'.repeat(22)), tokenOf(id, token.slice(22))])
    expect(await findReporter(db, addresses, other)).toBeNull()
  await expect(findReporter(db, addresses, 'nonsense')).rejects.toMatchObject({ kind: { status: 404 } })
  await confirmReporter(db, found)
  const first = (await reportersOf(id))[0]?.confirmed_at
  await confirmReporter(db, found)
  expect((await reportersOf(id))[0]?.confirmed_at).toEqual(first)
  await pass('2 hours')
  const other = await publication()
  await report(other.id, { email: 'link@example.org' })
  const [next] = await send()
  expect(next?.text).toMatch(/^Bonjour Zoé,\n/)
  expect(next?.text).not.toContain('/signalement/')
})

test('a name that is none greets nobody', async () => {
  const { id } = await publication()
  await report(id, { email: 'ads@example.org', name: 'Gagnez sur http://evil.example' })
  await db.updateTable('reporters').set({ confirmed_at: new Date() }).execute()
  expect((await send())[0]?.text).toMatch(/^Bonjour,\n/)
})

test('an address is deleted so many months after the outcome, and not before there is one', async () => {
  const [one, other] = [await publication(), await publication()]
  for (const { id } of [one, other]) await report(id, { email: 'old@example.org' })
  const end = (publicationId: string, ago: string) =>
    sql`update report_cases set ended_at = now() - ${ago}::interval, outcome = 'kept', ended_by = 'team'
      where publication_id = ${publicationId}`.execute(db)
  await sql`update reporters set created_at = now() - interval '2 years'`.execute(db)
  await end(one.id, '7 months')
  await deleteOldReporters(db, 6, 100)
  expect([(await reportersOf(one.id)).length, (await reportersOf(other.id)).length]).toEqual([0, 1])
  await end(other.id, '5 months')
  expect(await deleteOldReporters(db, 6, 100)).toBe(0)
  await end(other.id, '7 months')
  await deleteOldReporters(db, 6, 100)
  const { rows } = await sql`
    select from reporters where address_digest = any(${addresses.digests('old@example.org')}::bytea[])`.execute(
    db,
  )
  expect(rows).toEqual([])
})

test('another SESSION_KEY finds an address again, and encrypts it again', async () => {
  const { id } = await publication()
  await report(id, { email: 'key@example.org' })
  const [before] = await reportersOf(id)
  const newer = reporterAddresses(['a newer key that is long enough', ...config.sessionKeys])
  expect((await rekeyReporters(db, newer, signal, 2)).unreadable).toBe(0)
  expect((await rekeyReporters(db, newer, signal, 2)).done).toBe(0)
  const [after] = await reportersOf(id)
  const newest = reporterAddresses(['a newer key that is long enough'])
  expect(newest.open(after?.id ?? '', after?.address ?? Buffer.of())).toEqual(
    addresses.open(before?.id ?? '', before?.address ?? Buffer.of()),
  )
  expect((await rekeyReporters(db, addresses, signal)).unreadable).toBeGreaterThan(0)
  await rekeyReporters(
    db,
    reporterAddresses([...config.sessionKeys, 'a newer key that is long enough']),
    signal,
  )
})

test('an address that came back under the new key keeps what waits for it', async () => {
  const [one, other] = [await publication(), await publication()]
  await report(one.id, { email: 'twice@example.org' })
  const [former] = await reportersOf(one.id)
  await db
    .updateTable('reporters')
    .set({ confirmed_at: new Date() })
    .where('id', '=', former?.id ?? '')
    .execute()
  // As an instance that lacks the key of the first would store it.
  await sql`update reporters set address_digest = sha256('gone'), key_id = 'former' where id = ${former?.id}`.execute(
    db,
  )
  await report(other.id, { email: 'twice@example.org' })
  await rekeyReporters(db, addresses, signal)
  const [now] = await reportersOf(other.id)
  expect(await reportersOf(one.id)).toEqual([now])
  expect(now?.confirmed_at).toEqual(expect.any(Date))
  expect(now?.id).not.toBe(former?.id)
})

test('an export and an erasure have the address of the person, and of another address only that they gave it', async () => {
  const { id: userId, token } = await world.user()
  const [one, other] = [await publication(), await publication()]
  await report(one.id, { email: 'neighbour@example.org', name: 'Voisine' }, { token })
  await report(other.id, { email: 'neighbour@example.org' })
  const exported = async (person: { userIds: string[]; emails: string[] }) => {
    let text = ''
    for await (const piece of exportPerson(tools, person)) text += piece
    return JSON.parse(text).reporters
  }
  expect(await exported({ userIds: [userId], emails: [] })).toEqual([
    expect.objectContaining({ publication_id: one.id, address: 'neighbour@example.org' }),
  ])
  expect(JSON.stringify(await exported({ userIds: [userId], emails: [] }))).not.toContain('Voisine')
  const theirs = await exported({ userIds: [], emails: ['neighbour@example.org'] })
  expect(theirs.map(({ name }: { name: string }) => name)).toEqual(['Voisine', 'Voisine'])
  await erasePerson(tools, { user: userId })
  expect([(await reportersOf(one.id)).length, (await reportersOf(other.id)).length]).toEqual([0, 1])
  await erasePerson(tools, { email: 'Neighbour@example.org' })
  expect([await reportersOf(other.id), await mailsOf(other.id)]).toEqual([[], []])
})
