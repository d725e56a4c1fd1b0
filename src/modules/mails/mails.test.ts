import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld, run } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { until } from '../../platform/jobs/jobs.test-kit.ts'
import { claimsKit } from '../claims/claims.test-kit.ts'
import { messagesKit } from '../messages/messages.test-kit.ts'
import { insertPublication } from '../publications/publications.test-kit.ts'

const world = await openWorld()
const { as, acteur, commune, user, database, db, runJobs } = world
const admin = await as('admin')
const { claim, mails: mailsAbout } = claimsKit(world)
const { thread, reply } = messagesKit(world, await as('support'))

type Fields = { email_status: string; email_error?: string | null; email_tries?: number; minutes?: number }
const put = (table: string, id: string, { minutes = 5, ...values }: Fields) => {
  const { email_status, email_error = null, email_tries = 1 } = values
  return sql`
    update ${sql.table(table)} set email_status = ${email_status}, email_error = ${email_error}, email_tries = ${email_tries},
      email_status_at = now() - make_interval(mins => ${minutes}::int)
    where id = ${id}`.execute(db)
}
const failed = { email_status: 'failed', email_error: '550 (address): no such mailbox' }

/** Inserts a mail of each kind and returns its id. */
const make = {
  async publication_decision(fields: Fields = failed, status = 'rejected') {
    const writer = await user({ email: `auteur-${uuidv7()}@example.org` })
    await db.updateTable('users').set({ email_verified: true }).where('id', '=', writer.id).execute()
    const { id: publication_id } = await insertPublication(world, {
      title: 'Fête de la pomme',
      created_by: writer.id,
      moderation_status: status,
      valide: false,
      publie_le: null,
    })
    const id = uuidv7()
    await db.insertInto('publication_mails').values({ id, publication_id, kind: 'rejected' }).execute()
    await put('publication_mails', id, fields)
    return id
  },
  async acteur_deactivation(fields: Fields = failed) {
    const { id: acteur_id } = await acteur({ nom: 'Cave des Quais', valide: true })
    const owner = await user({ email: `gerant-${uuidv7()}@example.org` })
    await db.updateTable('users').set({ email_verified: true }).where('id', '=', owner.id).execute()
    await db.insertInto('actor_users').values({ acteur_id, user_id: owner.id, role: 'owner' }).execute()
    expect((await admin.patch(`/admin/acteurs/${acteur_id}/active`, { active: false })).status).toBe(200)
    const { id } = await db
      .selectFrom('acteur_mails')
      .select('id')
      .where('user_id', '=', owner.id)
      .executeTakeFirstOrThrow()
    await put('acteur_mails', id, fields)
    return id
  },
  async claim_decision(fields: Fields = failed) {
    const id = await claim({
      acteur: await acteur({ nom: 'Boule des Accoules' }),
      email: 'odile@example.org',
    })
    await admin.patch(`/admin/claims/${id}`, { status: 'rejected' })
    await put('claims', id, fields)
    return id
  },
  async claim_question(fields: Fields = failed) {
    const about = await claim({ acteur: await acteur({ nom: 'Chorale' }), email: 'odile@example.org' })
    const { body } = await admin.post(`/admin/claims/${about}/question`, { body: 'Qui préside le club ?' })
    await put('claim_questions', body.data.id, fields)
    return body.data.id as string
  },
  async alerte_reminder(fields: Fields = failed) {
    const mairie = await acteur({ type: 'mairie', email: 'mairie@example.org' })
    await commune({ mairie_actor_id: mairie.id })
    const id = uuidv7()
    await db
      .insertInto('alertes')
      .values({ id, acteur_id: mairie.id, titre: 'Coupure d’eau', message: 'Jeudi.', niveau: 'info' })
      .execute()
    await put('alertes', id, fields)
    return id
  },
  async alerte_hiding(fields: Fields = failed) {
    const town = await commune()
    const { id: acteur_id } = await acteur({ type: 'intercommunalite', valide: true })
    const writer = await user({ email: `syndicat-${uuidv7()}@example.org` })
    await db.updateTable('users').set({ email_verified: true }).where('id', '=', writer.id).execute()
    await db.insertInto('actor_users').values({ acteur_id, user_id: writer.id, role: 'owner' }).execute()
    const [id, alerte_id] = [uuidv7(), uuidv7()]
    await db
      .insertInto('alertes')
      .values({ id: alerte_id, acteur_id, titre: 'Crue', message: 'Jeudi.', niveau: 'info' })
      .execute()
    const hiding = { alerte_id, commune_id: town.id }
    await db.insertInto('alerte_hidings').values(hiding).execute()
    await db
      .insertInto('alerte_hiding_mails')
      .values({ id, ...hiding, user_id: writer.id })
      .execute()
    await put('alerte_hiding_mails', id, fields)
    return id
  },
  async support_reply(fields: Fields = failed) {
    const id = await reply(await thread())
    await put('support_messages', id, fields)
    return id
  },
}
const kinds = Object.keys(make) as (keyof typeof make)[]

const list = async (query = '', language = 'fr') => {
  const headers = { 'accept-language': language }
  const { status, text, body } = await admin.get(`/admin/mails?per_page=100&${query}`, { headers })
  expect(status, text).toBe(200)
  return body
}
const one = async (id: string) => (await list(`ids=${id}`)).data[0]
const resend = (id: string) => admin.post(`/admin/mails/${id}/resend`)
const entries = (id: string) =>
  db
    .selectFrom('audit_log')
    .select(['entity', 'entity_id', 'before', 'after'])
    .where('action', '=', 'mail.resend')
    .where(sql`after ->> 'mail_id'`, '=', id)
    .execute()
const jobsOf = async (id: string) =>
  (await sql`select from pgboss.job where data::text like ${`%${id}%`} and state < 'completed'`.execute(db))
    .rows.length

test('GET /admin/mails returns 200 with every kind in words, its record, recipient, attempts and error', async () => {
  for (const kind of kinds) await make[kind]()
  const { data, meta } = await list('status=failed')
  expect(meta.total).toBe(kinds.length)
  const shown = data.map((row: Record<string, unknown>) => [
    row.kind_label,
    row.entity,
    row.record_name,
    row.recipient,
  ])
  expect(shown.toSorted()).toEqual([
    ['Alerte masquée par une mairie', 'alerte', 'Crue', expect.stringMatching(/^syndicat-/)],
    [
      'Décision ou correction d’une publication',
      'publication',
      'Fête de la pomme',
      expect.stringMatching(/^auteur-/),
    ],
    ['Décision sur une revendication', 'claim', 'Boule des Accoules', 'odile@example.org'],
    ['Désactivation d’un acteur', 'acteur', 'Cave des Quais', expect.stringMatching(/^gerant-/)],
    ['Question sur une revendication', 'claim', 'Chorale', 'odile@example.org'],
    ['Rappel d’une alerte sans date de fin', 'alerte', 'Coupure d’eau', 'mairie@example.org'],
    ['Réponse de l’assistance', 'thread', 'Bac non relevé', 'odile@example.org'],
  ])
  for (const row of data)
    expect(row).toMatchObject({
      status: 'failed',
      attempts: 1,
      error: failed.email_error,
      needed: true,
      can: ['resend'],
    })
  const english = await list('status=failed&kind=support_reply', 'en')
  expect(english.data).toMatchObject([{ kind: 'support_reply', kind_label: 'Support reply' }])
})

test('GET /admin/mails filters by state, with held apart from queued, and sorts by the time of the state', async () => {
  const held = await make.claim_decision({ email_status: 'queued', email_tries: 0, minutes: 0 })
  const waiting = await make.claim_decision({ email_status: 'queued', email_tries: 0, minutes: 2 })
  const retried = await make.claim_decision({ email_status: 'queued', email_tries: 3, minutes: 0 })
  const sent = await make.claim_decision({ email_status: 'sent', minutes: 50 })
  const uncertain = await make.claim_decision({ email_status: 'uncertain', minutes: 40 })
  const ids = async (query: string) =>
    (await list(`ids=${[held, waiting, retried, sent, uncertain].join()}&${query}`)).data.map(
      ({ id }: { id: string }) => id,
    )
  expect(await ids('status=held')).toEqual([held])
  expect((await ids('status=queued')).toSorted()).toEqual([waiting, retried].toSorted())
  expect(await ids('status=sent,uncertain')).toEqual([uncertain, sent])
  expect(await ids('status=sent,uncertain&sort=status_at_asc')).toEqual([sent, uncertain])
  expect(await ids('kind=support_reply')).toEqual([])
  expect((await list(`ids=${held}`)).data[0]).toMatchObject({ status: 'held', can: [] })
  expect((await list('kind=unknown')).meta.total).toBe(0)
})

test('GET /admin/mails as CSV has all mails of the filter', async () => {
  const { text } = await admin.get('/admin/mails?status=sent', { headers: { accept: 'text/csv' } })
  const lines = text.trim().split('\r\n')
  expect(lines[0]).toContain('kind_label')
  expect(lines).toHaveLength((await list('status=sent')).meta.total + 1)
})

test.each(['status=lost', 'sort=kind_asc', 'ids=1', 'page=0'])(
  'GET /admin/mails returns 422 for %s',
  async (query) => {
    expect(await admin.get(`/admin/mails?${query}`)).toBeError(422, 'validation_failed')
  },
)

test.each(['support', 'moderator'] as const)('mails are not accessible to %s', async (role) => {
  const id = await make.support_reply()
  const client = await as(role)
  expect(await client.get('/admin/mails')).toBeError(403, 'admin_required')
  expect(await client.post(`/admin/mails/${id}/resend`)).toBeError(403, 'admin_required')
  expect((await one(id)).status).toBe('failed')
})

test.each(kinds.flatMap((kind) => [[kind, 'failed'] as const, [kind, 'uncertain'] as const]))(
  'POST /admin/mails/{id}/resend queues a %s that is %s again, with one job and one audit entry',
  async (kind, email_status) => {
    const id = await make[kind]({ email_status })
    await sql`delete from pgboss.job where data::text like ${`%${id}%`}`.execute(db).catch(() => undefined)
    const before = await jobsOf(id)
    const row = await one(id)
    const answer = await resend(id)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.data).toMatchObject({ id, kind, status: 'queued', can: [] })
    expect(await jobsOf(id)).toBe(before + 1)
    expect(await entries(id)).toEqual([
      {
        entity: row.entity,
        entity_id: row.record_id,
        before: { email_status },
        after: { mail: kind, mail_id: id, email_status: 'queued' },
      },
    ])
    expect(await resend(id)).toBeError(409, 'conflict')
    expect(await jobsOf(id)).toBe(before + 1)
  },
)

test.each(['sent', 'sending', 'queued'])(
  'POST /admin/mails/{id}/resend returns 409 for a mail that is %s',
  async (email_status) => {
    const id = await make.support_reply({ email_status })
    expect(await resend(id)).toBeError(409, 'conflict')
    expect(await entries(id)).toEqual([])
  },
)

test('POST /admin/mails/{id}/resend returns 404 for an unknown mail, and for a record without a mail', async () => {
  expect(await resend(uuidv7())).toBeError(404, 'not_found')
  expect(await resend(await claim())).toBeError(404, 'not_found')
})

test('POST /admin/mails/{id}/resend returns 409 when the reason to send it no longer exists', async () => {
  const undone = await make.publication_decision(failed, 'pending')
  const decided = await make.claim_question()
  const { record_id } = await one(decided)
  await admin.patch(`/admin/claims/${record_id}`, { status: 'rejected' })
  const ended = await make.alerte_reminder()
  await sql`update alertes set fin = now() - interval '1 ms' where id = ${ended}`.execute(db)
  const nobody = await make.claim_decision()
  await sql`update claims set email = null where id = ${nobody}`.execute(db)
  for (const id of [undone, decided, ended, nobody]) {
    expect(await one(id)).toMatchObject({ status: 'failed', needed: false, can: [] })
    expect(await resend(id)).toBeError(409, 'mail_not_needed')
    expect(await entries(id)).toEqual([])
    expect((await one(id)).status).toBe('failed')
  }
})

test('an undone decision on a claim leaves no mail to resend, also when both happen at once', async () => {
  for (let round = 0; round < 4; round++) {
    const id = await claim({ email: 'odile@example.org' })
    const { body } = await admin.patch(`/admin/claims/${id}`, { status: 'rejected' })
    await put('claims', id, failed)
    const [again, undone] = await Promise.all([
      resend(id),
      admin.post(`/admin/decisions/${body.data.decision_id}/undo`),
    ])
    expect(undone.status, undone.text).toBe(200)
    expect([200, 404, 409]).toContain(again.status)
    const { status, email_status } = await db
      .selectFrom('claims')
      .select(['status', 'email_status'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect({ status, email_status }).toEqual({ status: 'pending', email_status: null })
  }
})

test('a repeated resend with the same Idempotency-Key returns the first response', async () => {
  const id = await make.support_reply()
  const headers = { 'Idempotency-Key': uuidv7() }
  const send = () => admin.post(`/admin/mails/${id}/resend`, undefined, { headers })
  const [first, second] = [await send(), await send()]
  expect([first.status, second.status]).toEqual([200, 200])
  expect(second.body).toEqual(first.body)
  expect(await entries(id)).toHaveLength(1)
})

test.each(kinds)(
  'POST /admin/mails/{id}/settle ends an uncertain %s, once, and no count has it any more',
  async (kind) => {
    const counted = async () => (await admin.get('/admin/counts')).body.data.mails.count
    const before = await counted()
    const id = await make[kind]({ email_status: 'uncertain' })
    expect(await counted()).toBe(before + 1)
    const settle = () => admin.post(`/admin/mails/${id}/settle`, { reason: 'Vu, rien à faire' })
    const answer = await settle()
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.data).toMatchObject({ status: 'uncertain', settled_at: expect.any(String) })
    expect(answer.body.data.can).not.toContain('settle')
    expect(await counted()).toBe(before)
    expect((await list(`ids=${id}&settled=false`)).data).toEqual([])
    expect((await list(`ids=${id}&settled=true`)).data).toMatchObject([{ id }])
    const entry = db.selectFrom('audit_log').select('after').where('action', '=', 'mail.settle')
    expect(await entry.where(sql`after ->> 'mail_id'`, '=', id).execute()).toEqual([
      { after: { mail: kind, mail_id: id, reason: 'Vu, rien à faire' } },
    ])
    expect(await settle()).toBeError(409, 'conflict')
    // Sent again, it is not settled any more.
    if (!answer.body.data.can.includes('resend')) return
    expect((await resend(id)).body.data).toMatchObject({ settled_at: null })
  },
)

test('POST /admin/mails/{id}/settle returns 409 for a mail that failed, 404 for none, 422 without a reason', async () => {
  const body = { reason: 'Vu' }
  expect(await admin.post(`/admin/mails/${await make.support_reply()}/settle`, body)).toBeError(
    409,
    'conflict',
  )
  expect(await admin.post(`/admin/mails/${uuidv7()}/settle`, body)).toBeError(404, 'not_found')
  const id = await make.support_reply({ email_status: 'uncertain' })
  expect(await admin.post(`/admin/mails/${id}/settle`, { reason: ' ' })).toBeError(422, 'validation_failed')
})

// The last one: its worker goes on, and would send the mails of tests after it.
test('of ten concurrent resends one succeeds; its mail is sent once', async () => {
  const id = await make.claim_decision()
  await sql`update claims set email_tries = 1 where id = ${id}`.execute(db)
  const answers = await Promise.all(Array.from({ length: 10 }, () => resend(id)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)])
  expect(await entries(id)).toHaveLength(1)
  // The jobs of earlier tests would delay this one.
  await run(database.owner, `delete from pgboss.job where data::text not like '%${id}%'`)
  await runJobs()
  await until('it is sent', async () => (await one(id)).status === 'sent')
  expect(await mailsAbout(id)).toHaveLength(1)
  expect(await resend(id)).toBeError(409, 'conflict')
})
