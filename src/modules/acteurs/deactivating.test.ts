import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { modules } from '../../app.ts'
import { identityDigests } from '../../platform/access/erased-identities.ts'
import type { Mail, MailOutcome } from '../../platform/mail/mail.ts'
import { giveUpMails } from '../../platform/mail/row-mails.ts'
import { objectionLinks } from '../grounds/objecting.ts'
import { erasePerson } from '../privacy/erase.ts'
import { exportPerson } from '../privacy/export.ts'
import {
  insertPublication,
  openAssociation,
  restrictedSource,
} from '../publications/publications.test-kit.ts'
import { mailOwner, mailOwnerHandler, ownerMails } from './notify.ts'

const world = await openWorld()
const { as, client, config, db, jobs } = world
const admin = await as('admin')

const statementsOf = (id: string) =>
  db.selectFrom('statements').selectAll().where('record_id', '=', id).orderBy('id').execute()
const mailsOf = (id: string) =>
  db
    .selectFrom('acteur_mails as m')
    .innerJoin('statements as s', 's.id', 'm.statement_id')
    .selectAll('m')
    .where('s.record_id', '=', id)
    .orderBy('m.id')
    .execute()
const auditOf = (id: string) =>
  db.selectFrom('audit_log').selectAll().where('entity_id', '=', id).orderBy('seq').execute()
const jobsOf = async (mailId: string) =>
  (
    await sql`select from pgboss.job where name = ${mailOwner.name} and data->>'mailId' = ${mailId}`.execute(
      db,
    )
  ).rows.length

/** An association whose first owner and editor have verified addresses, and whose second owner has none. */
async function association() {
  const one = await openAssociation(world)
  const known = { email_verified: true }
  await db.updateTable('users').set(known).where('id', 'in', [one.owner.id, one.editor.id]).execute()
  await world.user({ memberships: [{ acteur: one.acteur, role: 'owner' }] })
  const at = `/admin/acteurs/${one.acteur.id}/active`
  const set = (active: boolean, why: object = {}) => admin.patch(at, { active, ...why })
  const read = async (query = '', source = 'public') =>
    (await client({ token: one.owner.token, source }).get(`/me/statements${query}`)).body.data
  return { ...one, id: one.acteur.id, at, set, read }
}

test('PATCH /admin/acteurs/{id}/active returns 200 and gives the owners a statement of reasons, by mail too', async () => {
  const { id, set, owner, acteur } = await association()
  expect((await set(false, { ground: 'spam', reason: ' Compte vendu. ' })).status).toBe(200)
  const [statement, ...others] = await statementsOf(id)
  expect(others).toEqual([])
  expect(statement).toMatchObject({
    ...{ entity: 'acteur', title: acteur.nom, restriction: 'deactivated', ground: { code: 'spam' } },
    ...{ reason: 'Compte vendu.', by_report: false, before: { active: true }, ended_at: null },
  })
  const [mail, ...more] = await mailsOf(id)
  expect(more).toEqual([])
  expect(mail).toMatchObject({ user_id: owner.id, statement_id: statement?.id, email_status: 'queued' })
  expect(await jobsOf(mail?.id ?? '')).toBe(1)
  expect(await auditOf(id)).toMatchObject([
    { action: 'acteur.active', before: { active: true }, after: { active: false, ground: 'spam' } },
  ])
})

test('without a ground it is `autre`, and without an effect there is no statement', async () => {
  const { id, set } = await association()
  await set(true, { ground: 'spam' })
  expect(await statementsOf(id)).toEqual([])
  await set(false)
  await set(false, { ground: 'spam', reason: 'Encore.' })
  expect(await statementsOf(id)).toMatchObject([{ ground: { code: 'autre' }, reason: null }])
  expect(await mailsOf(id)).toHaveLength(1)
})

test('a ground that is not active returns 422 and changes nothing', async () => {
  const { id, set } = await association()
  for (const active of [true, false])
    expect(await set(active, { ground: 'nope' })).toBeError(422, 'validation_failed')
  const bulk = { ids: [id], validate: false, ground: 'nope' }
  expect(await admin.patch('/admin/acteurs/bulk', bulk)).toBeError(422, 'validation_failed')
  expect(await admin.patch('/admin/acteurs/bulk', { ids: [id], ground: 'spam' })).toBeError(
    422,
    'validation_failed',
  )
  expect(await auditOf(id)).toEqual([])
})

test('PATCH /admin/acteurs/bulk returns 200 with a statement for each that it deactivates', async () => {
  const [one, other, inactive] = [await association(), await association(), await association()]
  await inactive.set(false)
  const ids = [one.id, other.id, inactive.id]
  const why = { ground: 'usurpation', reason: 'Faux comptes.' }
  expect((await admin.patch('/admin/acteurs/bulk', { ids, active: false, ...why })).status).toBe(200)
  for (const { id } of [one, other]) {
    expect(await statementsOf(id)).toMatchObject([
      { ground: { code: 'usurpation' }, reason: 'Faux comptes.' },
    ])
    expect(await mailsOf(id)).toHaveLength(1)
    expect(await auditOf(id)).toMatchObject([{ after: { active: false, ground: 'usurpation' } }])
  }
  expect(await statementsOf(inactive.id)).toMatchObject([{ ground: { code: 'autre' } }])
  expect((await admin.patch('/admin/acteurs/bulk', { ids, active: true })).status).toBe(200)
  for (const id of ids) expect(await statementsOf(id)).toMatchObject([{ ended_at: expect.any(Date) }])
})

test('an activation ends the statement, and its mail is not needed any more', async () => {
  const { id, set, read } = await association()
  await set(false)
  const [first] = await mailsOf(id)
  expect(await ownerMails.find(db, first?.id ?? '')).toMatchObject({ ground: { code: 'autre' } })
  await set(true)
  expect(await statementsOf(id)).toMatchObject([{ ended_at: expect.any(Date) }])
  expect(await ownerMails.find(db, first?.id ?? '')).toBeNull()
  const { sent, tell } = sender()
  await tell(first?.id ?? '')
  expect(sent).toEqual([])
  expect(await mailsOf(id)).toEqual([])
  await set(false, { ground: 'spam' })
  expect(await read()).toMatchObject([{ ground: { code: 'spam' } }])
  expect(await mailsOf(id)).toHaveLength(1)
})

test('two decisions at once give one statement and one mail', async () => {
  const { id, set } = await association()
  const bulk = admin.patch('/admin/acteurs/bulk', { ids: [id], active: false })
  const answers = await Promise.all([set(false), bulk, set(false)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await statementsOf(id)).toHaveLength(1)
  expect(await mailsOf(id)).toHaveLength(1)
})

test('the administrator who decides gets no mail as an owner', async () => {
  const { id, set, owner } = await association()
  const me = (await admin.get('/me')).body.data.id
  await db.updateTable('users').set({ email_verified: true }).where('id', '=', me).execute()
  await db.insertInto('actor_users').values({ acteur_id: id, user_id: me, role: 'owner' }).execute()
  await set(false)
  expect((await mailsOf(id)).map(({ user_id }) => user_id)).toEqual([owner.id])
})

test('a report of one of its publications is said, and ends with the ground', async () => {
  const { id, set } = await association()
  const one = await insertPublication(world, { acteur_id: id })
  expect((await world.post(`/publications/${one.id}/report`, { category: 'spam' })).status).toBe(201)
  await set(false, { ground: 'spam' })
  expect(await statementsOf(id)).toMatchObject([{ by_report: true }])
  const cases = db.selectFrom('report_cases').selectAll().where('publication_id', '=', one.id)
  expect(await cases.execute()).toMatchObject([{ outcome: 'deactivated', ground: { code: 'spam' } }])
})

test('GET /me/statements returns 200 with it to the members, until it is activated or deleted', async () => {
  const { id, set, read, owner, acteur, commune } = await association()
  await set(false, { ground: 'spam', reason: 'Compte vendu.' })
  const shown = {
    ...{ entity: 'acteur', record_id: id, title: acteur.nom, restriction: 'deactivated' },
    ...{
      ground: { code: 'spam' },
      reason: 'Compte vendu.',
      complain_until: expect.any(String),
      complaint: null,
    },
  }
  for (const query of ['', `?acteur_id=${id}`, `?record_id=${id}`])
    expect(await read(query)).toMatchObject([shown])
  expect(await read(`?acteur_id=${owner.id}`)).toEqual([])
  expect(await read(`?record_id=${owner.id}`)).toEqual([])
  expect(await read('', await restrictedSource(world, [commune.id]))).toMatchObject([shown])
  expect(await read('', await restrictedSource(world, [(await world.commune()).id]))).toEqual([])
  const stranger = client({ token: (await world.user()).token })
  expect((await stranger.get('/me/statements')).body.data).toEqual([])
  await admin.delete(`/admin/acteurs/${id}`)
  expect(await read()).toEqual([])
  await admin.delete(`/admin/acteurs/${id}/restore`)
  expect(await read()).toMatchObject([shown])
  await set(true)
  expect(await read()).toEqual([])
})

/** Builds the handler with a mailer that returns these outcomes or runs these functions. */
function sender(...answers: (MailOutcome | (() => Promise<MailOutcome>))[]) {
  const sent: Mail[] = []
  const send = async (mail: Mail) => {
    sent.push(mail)
    const answer = answers[Math.min(sent.length, answers.length) - 1] ?? { status: 'sent' }
    return typeof answer === 'function' ? answer() : answer
  }
  const handler = mailOwnerHandler({ db, config, mailer: { send, close: async () => {} } })
  const tell = (mailId: string, attempt = 1) =>
    handler.perform({ mailId }, { id: 'job', attempt, signal: new AbortController().signal })
  return { sent, tell }
}

test('a mail is sent once, under one Message-ID, and says what was decided', async () => {
  const { id, set, owner, acteur } = await association()
  await set(false, { ground: 'spam', reason: 'Compte vendu.' })
  const [{ id: mailId } = { id: '' }] = await mailsOf(id)
  const { sent, tell } = sender({ status: 'failed', retry: true, error: 'away' }, { status: 'sent' })
  await expect(tell(mailId)).rejects.toThrow('not sent: away')
  await tell(mailId, 2)
  await tell(mailId, 3)
  expect(sent).toHaveLength(2)
  expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(1)
  expect(sent[1]).toMatchObject({ to: owner.email, text: expect.stringContaining('Compte vendu.') })
  expect(sent[1]?.subject).toContain(acteur.nom)
  const [statement] = await statementsOf(id)
  const objection = { about: 'statement', id: statement?.id ?? '', by: owner.id } as const
  const link = objectionLinks(config).linkOf(objection) ?? expect.fail('there is no site')
  expect(sent[1]?.text).toContain(link)
  const page = await fetch(new URL(new URL(link).pathname, world.url))
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('Compte vendu.')
  expect(await mailsOf(id)).toMatchObject([{ email_status: 'sent', email_tries: 2 }])
})

test('a mail whose worker died while sending becomes uncertain and is not sent again', async () => {
  const { id, set } = await association()
  await set(false)
  const [{ id: mailId } = { id: '' }] = await mailsOf(id)
  const died = sender(async () => {
    throw new Error('the process died')
  })
  await expect(died.tell(mailId)).rejects.toThrow('the process died')
  expect(await mailsOf(id)).toMatchObject([{ email_status: 'sending' }])
  const next = sender()
  await next.tell(mailId, 2)
  expect(next.sent).toEqual([])
  expect(await mailsOf(id)).toMatchObject([{ email_status: 'uncertain' }])
  await sql`
    update acteur_mails set email_status = 'sending', email_status_at = now() - interval '61 minutes'
    where id = ${mailId}`.execute(db)
  expect(await giveUpMails(db, ownerMails)).toBe(1)
  expect(await mailsOf(id)).toMatchObject([{ email_status: 'uncertain' }])
})

test('whoever is an owner no longer, or whose address is not verified, gets no mail', async () => {
  for (const leave of [
    (userId: string) => db.deleteFrom('actor_users').where('user_id', '=', userId).execute(),
    (userId: string) =>
      db.updateTable('users').set({ email_verified: false }).where('id', '=', userId).execute(),
  ]) {
    const { id, set, owner } = await association()
    await set(false)
    await leave(owner.id)
    const [{ id: mailId } = { id: '' }] = await mailsOf(id)
    const { sent, tell } = sender()
    await tell(mailId)
    expect(sent).toEqual([])
    expect(await mailsOf(id)).toEqual([])
  }
})

test('an export has it, and an erasure of an owner deletes the reason', async () => {
  const { id, set, owner } = await association()
  await set(false, { ground: 'spam', reason: 'Chère Zoé.' })
  const tools = { db, jobs, modules, config, clock: () => new Date(), digests: identityDigests(config) }
  let text = ''
  for await (const piece of exportPerson(tools, { userIds: [owner.id], emails: [] })) text += piece
  expect(JSON.parse(text).statements_of_acteurs).toMatchObject([{ record_id: id, reason: 'Chère Zoé.' }])
  await erasePerson(tools, { user: owner.id })
  expect(await statementsOf(id)).toMatchObject([{ reason: null, ground: { code: 'spam' } }])
})
