import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { deleteOldMails } from '../publications/module.ts'
import { authorMails } from '../publications/notify.ts'
import { insertPublication, openAssociation } from '../publications/publications.test-kit.ts'
import { deleteOldDecisions } from './module.ts'

const world = await openWorld()
const { as, db, user, acteur, client } = world
const admin = await as('admin')
const moderator = await as('moderator')
const colleague = await as('moderator')

type Client = typeof admin
const stateNames = [
  'moderation_status',
  'moderation_reason',
  'resubmitted',
  'decided_centrally',
  'valide',
  'publie_le',
  'en_avant',
  'featured_until',
  'deleted_at',
] as const
const stateOf = (id: string) =>
  db.selectFrom('publications').select(stateNames).where('id', '=', id).executeTakeFirstOrThrow()
const undo = (by: Client, id: string) => by.post(`/admin/decisions/${id}/undo`)
/** What the list of the moderator's latest decisions offers for one. */
const actionsOn = async (id: string): Promise<string[] | undefined> =>
  (await moderator.get('/admin/decisions')).body.data.find((decision: { id: string }) => decision.id === id)
    ?.can
const pending = { moderation_status: 'pending', valide: false, publie_le: null } as const
const publicationOf = (id: string) => `/admin/publications/${id}`
const report = (by: Pick<Client, 'post'>, id: string) => by.post(`/publications/${id}/report`, {})
const openReports = async (id: string) =>
  (
    await db
      .selectFrom('publication_reports')
      .select('id')
      .where('publication_id', '=', id)
      .where('closed_at', 'is', null)
      .execute()
  ).map((row) => row.id)

const decisionsOnOne: [name: string, decide: (id: string) => ReturnType<Client['patch']>, values: object][] =
  [
    [
      'moderate',
      (id) =>
        moderator.patch(`${publicationOf(id)}/moderate`, {
          moderation_status: 'rejected',
          reason: 'Doublon',
        }),
      {},
    ],
    [
      'schedule',
      (id) =>
        moderator.patch(`${publicationOf(id)}/moderate`, {
          moderation_status: 'approved',
          publie_le: '2090-01-01T08:00:00Z',
        }),
      pending,
    ],
    [
      'publish',
      (id) => moderator.patch(`${publicationOf(id)}/moderate`, { moderation_status: 'published' }),
      pending,
    ],
    ['valide', (id) => moderator.patch(`${publicationOf(id)}/valide`), pending],
    ['feature', (id) => moderator.patch(`${publicationOf(id)}/feature`, { en_avant: true }), {}],
    [
      'unfeature',
      (id) => moderator.patch(`${publicationOf(id)}/feature`, { en_avant: false }),
      { en_avant: true, featured_until: new Date('2090-01-01') },
    ],
    ['delete', (id) => moderator.delete(publicationOf(id)), { en_avant: true }],
    ['restore', (id) => moderator.patch(`${publicationOf(id)}/restore`), { deleted_at: new Date() }],
  ]

test.each(decisionsOnOne)(
  'POST /admin/decisions/{id}/undo returns 200 and reverts %s',
  async (_, decide, values) => {
    const { id } = await insertPublication(world, values)
    const before = await stateOf(id)
    const { decision_id } = (await decide(id)).body.data
    expect(await stateOf(id)).not.toEqual(before)
    const answer = await undo(moderator, decision_id)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ data: [{ id, result: 'undone' }], meta: { undone: 1, changed_since: 0 } })
    expect(await stateOf(id)).toEqual(before)
    // A repeated request changes nothing.
    const { version } = (await admin.get(publicationOf(id))).body.data
    expect((await undo(moderator, decision_id)).body.data).toEqual([{ id, result: 'undone' }])
    expect((await admin.get(publicationOf(id))).body.data.version).toBe(version)
  },
)

test('a decision that changes nothing has no decision_id', async () => {
  const { id } = await insertPublication(world)
  await moderator.patch(`${publicationOf(id)}/moderate`, { moderation_status: 'published' })
  const again = await moderator.patch(`${publicationOf(id)}/moderate`, { moderation_status: 'published' })
  expect(again.body.data.decision_id).toBeNull()
})

test('an undo skips a publication that has changed since, and reports that', async () => {
  const { id } = await insertPublication(world, pending)
  const publish = { moderation_status: 'published' }
  const { decision_id } = (await moderator.patch(`${publicationOf(id)}/moderate`, publish)).body.data
  await db.updateTable('publications').set({ title: 'Autre titre' }).where('id', '=', id).execute()
  const now = await stateOf(id)
  expect(await actionsOn(decision_id)).toEqual([])
  expect((await undo(moderator, decision_id)).body.data).toEqual([{ id, result: 'changed_since' }])
  expect(await stateOf(id)).toEqual(now)
})

test('decisions can only be undone from the last to the first', async () => {
  const { id } = await insertPublication(world, pending)
  const before = await stateOf(id)
  const publish = { moderation_status: 'published' }
  const first = (await moderator.patch(`${publicationOf(id)}/moderate`, publish)).body.data.decision_id
  const second = (await moderator.patch(`${publicationOf(id)}/feature`, { en_avant: true })).body.data
    .decision_id
  expect([await actionsOn(first), await actionsOn(second)]).toEqual([[], ['undo']])
  expect((await undo(moderator, first)).body.meta).toEqual({ undone: 0, changed_since: 1 })
  expect((await undo(moderator, second)).body.meta).toEqual({ undone: 1, changed_since: 0 })
  expect([await actionsOn(first), await actionsOn(second)]).toEqual([['undo'], []])
  expect((await undo(moderator, first)).body.meta).toEqual({ undone: 1, changed_since: 0 })
  expect(await stateOf(id)).toEqual(before)
})

test('a later decision that only closed reports prevents the undo of an earlier one', async () => {
  const { id } = await insertPublication(world, pending)
  const publish = () => moderator.patch(`${publicationOf(id)}/moderate`, { moderation_status: 'published' })
  const first = (await publish()).body.data.decision_id
  await report(colleague, id)
  const second = (await publish()).body.data.decision_id
  expect((await undo(moderator, first)).body.meta.changed_since).toBe(1)
  expect((await undo(moderator, second)).body.meta.undone).toBe(1)
  expect(await openReports(id)).toHaveLength(1)
  expect((await undo(moderator, first)).body.meta.undone).toBe(1)
})

test('an undo reopens the reports that the decision closed, unless the reporter has a newer open one', async () => {
  const { id } = await insertPublication(world)
  const [one, other] = [await as(), await as()]
  await report(one, id)
  await report(other, id)
  const kept = await moderator.patch(`${publicationOf(id)}/moderate`, { moderation_status: 'published' })
  expect(await openReports(id)).toEqual([])
  const newer = (await report(one, id)).body.data.id
  const { decision_id } = kept.body.data
  expect((await undo(moderator, decision_id)).body.meta.undone).toBe(1)
  const open = await openReports(id)
  expect(open).toHaveLength(2)
  expect(open).toContain(newer)
})

test('an undo and a concurrent report by the same reporter leave one open report', async () => {
  for (let round = 0; round < 5; round++) {
    const { id } = await insertPublication(world)
    const reporter = await as()
    await report(reporter, id)
    const kept = await moderator.patch(`${publicationOf(id)}/moderate`, { moderation_status: 'published' })
    const answers = await Promise.all([undo(moderator, kept.body.data.decision_id), report(reporter, id)])
    expect(answers.map(({ status }) => status)).toEqual([200, 201])
    expect(await openReports(id)).toHaveLength(1)
  }
})

test('a bulk decision is undone record by record', async () => {
  const [first, second] = [await insertPublication(world, pending), await insertPublication(world, pending)]
  const body = { ids: [first.id, second.id], moderation_status: 'published' }
  const answer = await moderator.patch('/admin/publications/bulk/moderate', body)
  const later = await moderator.patch(`${publicationOf(second.id)}/feature`, { en_avant: true })
  const undone = {
    data: [
      { id: first.id, result: 'undone' },
      { id: second.id, result: 'changed_since' },
    ],
    meta: { undone: 1, changed_since: 1 },
  }
  const { decision_id } = answer.body.meta
  expect((await undo(moderator, decision_id)).body).toEqual(undone)
  expect(await stateOf(first.id)).toMatchObject({ moderation_status: 'pending', publie_le: null })
  expect(await stateOf(second.id)).toMatchObject({ moderation_status: 'published', en_avant: true })
  // A second undo answers the same and writes nothing, even if it could restore more by now, and after the 15 minutes.
  await undo(moderator, later.body.data.decision_id)
  const decisions = (await moderator.get('/admin/decisions')).body.data
  expect(decisions.find(({ id }: { id: string }) => id === decision_id).can).toEqual([])
  expect((await undo(moderator, decision_id)).body).toEqual(undone)
  await sql`update decisions set decided_at = now() - interval '1 hour' where id = ${decision_id}`.execute(db)
  expect((await undo(moderator, decision_id)).body).toEqual(undone)
  expect(await stateOf(second.id)).toMatchObject({ moderation_status: 'published', en_avant: false })
})

test('POST /admin/decisions/{id}/undo returns 403 to a colleague, and 200 to an administrator', async () => {
  const { id } = await insertPublication(world, pending)
  const { decision_id } = (await moderator.patch(`${publicationOf(id)}/valide`)).body.data
  expect(await undo(colleague, decision_id)).toBeError(403, 'forbidden')
  expect(await undo(await as('support'), decision_id)).toBeError(403, 'admin_required')
  expect((await undo(admin, decision_id)).status).toBe(200)
})

test('POST /admin/decisions/{id}/undo returns 403 once the caller has lost the role', async () => {
  const person = await user({ roles: ['moderator', 'support'] })
  const office = client({ source: 'backoffice', token: person.token })
  const { id } = await insertPublication(world, pending)
  const { decision_id } = (await office.patch(`${publicationOf(id)}/valide`)).body.data
  await db.deleteFrom('user_roles').where('user_id', '=', person.id).where('role', '=', 'moderator').execute()
  expect(await undo(office, decision_id)).toBeError(403, 'admin_required')
})

test('POST /admin/decisions/{id}/undo returns 409 after 15 minutes', async () => {
  const { id } = await insertPublication(world, pending)
  const { decision_id } = (await moderator.patch(`${publicationOf(id)}/valide`)).body.data
  const age = (minutes: number) =>
    sql`update decisions set decided_at = now() - make_interval(mins => ${minutes}::int) where id = ${decision_id}`.execute(
      db,
    )
  await age(15)
  expect(await undo(moderator, decision_id)).toBeError(409, 'undo_expired')
  await age(14)
  expect((await undo(moderator, decision_id)).status).toBe(200)
})

test('POST /admin/decisions/{id}/undo returns 404 for an unknown decision', async () => {
  expect(await undo(admin, uuidv7())).toBeError(404, 'not_found')
})

test('POST /admin/decisions/{id}/undo returns 422 for a body', async () => {
  expect(await admin.post(`/admin/decisions/${uuidv7()}/undo`, { x: 1 })).toBeError(422, 'validation_failed')
})

test('GET /admin/decisions returns 200 with the caller’s newest 20, and with all=true everybody’s to administrators', async () => {
  const decider = await as('moderator')
  const { id, title } = await insertPublication(world, pending)
  for (let turn = 0; turn < 21; turn++) await decider.patch(`${publicationOf(id)}/valide`)
  const { data } = (await decider.get('/admin/decisions')).body
  expect(data).toHaveLength(20)
  expect(data[0]).toMatchObject({
    kind: 'publication',
    action: 'publication.valide',
    can: ['undo'],
    undone_at: null,
    items: [{ id, title, undone: false }],
  })
  expect((await undo(decider, data[0].id)).status).toBe(200)
  expect((await decider.get('/admin/decisions')).body.data[0]).toMatchObject({
    can: [],
    undone_at: expect.any(String),
    items: [{ undone: true }],
  })
  expect((await colleague.get('/admin/decisions')).body.data).not.toContainEqual(
    expect.objectContaining({ id: data[0].id }),
  )
  expect((await admin.get('/admin/decisions?all=true')).body.data).toContainEqual(
    expect.objectContaining({ id: data[1].id, can: ['undo'] }),
  )
  expect(await decider.get('/admin/decisions?all=true')).toBeError(403, 'admin_required')
  expect((await (await as('support')).get('/admin/decisions')).body.data).toEqual([])
  expect(await admin.get('/admin/decisions?all=x')).toBeError(422, 'validation_failed')
})

test('GET /admin/decisions returns the status that each decision gave to all its records', async () => {
  const decider = await as('moderator')
  const [one, other] = [await insertPublication(world, pending), await insertPublication(world, pending)]
  const moderate = (id: string, moderation_status: string, more = {}) =>
    decider.patch(`${publicationOf(id)}/moderate`, { moderation_status, ...more })
  await moderate(one.id, 'rejected', { reason: 'Doublon' })
  await decider.delete(publicationOf(other.id))
  await decider.patch(`${publicationOf(other.id)}/restore`)
  await moderate(one.id, 'published')
  const ids = [one.id, other.id]
  await decider.patch('/admin/publications/bulk/moderate', {
    ids,
    moderation_status: 'rejected',
    reason: 'Doublon',
  })
  await moderate(other.id, 'published')
  await decider.patch('/admin/publications/bulk/moderate', { ids, moderation_status: 'published' })
  const { data } = (await decider.get('/admin/decisions')).body
  expect(data.map(({ outcome }: { outcome: string | null }) => outcome).reverse()).toEqual([
    'rejected',
    null,
    null,
    'published',
    'rejected',
    'published',
    'published',
  ])
})

const mailsOf = (publicationId: string) =>
  db.selectFrom('publication_mails').selectAll().where('publication_id', '=', publicationId).execute()

/** A pending publication by an author with a verified address. */
async function written() {
  const { acteur, content } = await openAssociation(world)
  const author = await user({
    email: 'zoe@example.org',
    email_verified: true,
    last_seen_at: new Date(),
    memberships: [{ acteur, role: 'owner' }],
  })
  const answer = await client({ token: author.token }).post('/publications', content)
  return answer.body.data.id as string
}

test('a rejection queues one mail to the author, delayed by 30 s; the undo cancels it', async () => {
  const id = await written()
  const reject = { moderation_status: 'rejected', reason: 'Date manquante' }
  const rejected = await moderator.patch(`${publicationOf(id)}/moderate`, reject)
  const [mail, ...more] = await mailsOf(id)
  expect(more).toEqual([])
  expect(mail).toMatchObject({ kind: 'rejected', email_status: 'queued' })
  const { rows } = await sql<{ held: number }>`
    select extract(epoch from start_after - created_on)::float as held from pgboss.job
    where data->>'mailId' = ${mail?.id}`.execute(db)
  expect(rows).toHaveLength(1)
  expect(rows[0]?.held).toBeGreaterThan(25)
  expect((await undo(moderator, rejected.body.data.decision_id)).body.meta.undone).toBe(1)
  expect(await mailsOf(id)).toEqual([])
})

test('no mail to an author without a verified address, or who made the decision', async () => {
  const { acteur, content, asOwner } = await openAssociation(world)
  const { id } = (await asOwner.post('/publications', content)).body.data
  await moderator.patch(`${publicationOf(id)}/moderate`, { moderation_status: 'rejected' })
  expect(await mailsOf(id)).toEqual([])
  const both = await user({
    roles: ['moderator'],
    email: 'lea@example.org',
    email_verified: true,
    last_seen_at: new Date(),
    memberships: [{ acteur, role: 'owner' }],
  })
  const office = client({ source: 'backoffice', token: both.token })
  const own = (await office.post('/publications', content)).body.data.id
  await office.patch(`${publicationOf(own)}/moderate`, { moderation_status: 'rejected' })
  expect(await mailsOf(own)).toEqual([])
})

test('of two rejections of a publication only the mail of the second is needed', async () => {
  const { owner, content, asOwner } = await openAssociation(world)
  const known = { email_verified: true, langue: 'en' }
  await db.updateTable('users').set(known).where('id', '=', owner.id).execute()
  for (const between of ['edit', 'publish'] as const) {
    const { id } = (await asOwner.post('/publications', content)).body.data
    const moderate = (moderation_status: string, reason: string) =>
      moderator.patch(`${publicationOf(id)}/moderate`, { moderation_status, reason })
    await moderate('rejected', 'Date manquante')
    if (between === 'publish') await moderate('published', 'Erreur')
    else await asOwner.patch(`/publications/${id}`, { title: 'Loto' })
    await moderate('rejected', 'Lieu manquant')
    const [first = '', second = '', ...more] = (await mailsOf(id)).map((mail) => mail.id).sort()
    expect(more).toEqual([])
    expect(await authorMails.find(db, first), between).toBeNull()
    expect(await authorMails.find(db, second), between).toMatchObject({
      subjects: [{ reason: 'Lieu manquant' }],
      langue: 'en',
    })
  }
})

test('no mail about a publication that was deleted in the meantime', async () => {
  const id = await written()
  await moderator.patch(`${publicationOf(id)}/moderate`, { moderation_status: 'rejected' })
  const [mail = expect.fail('no mail')] = await mailsOf(id)
  expect(await authorMails.find(db, mail.id)).not.toBeNull()
  expect((await moderator.delete(publicationOf(id))).status).toBe(200)
  expect(await authorMails.find(db, mail.id)).toBeNull()
})

const membersOf = (acteurId: string) =>
  db.selectFrom('actor_users').selectAll().where('acteur_id', '=', acteurId).execute()
const claimRow = (id: string) =>
  db.selectFrom('claims').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const volatile = { version: 0, updated_at: 0, email_tries: 0 }

async function claimOn(acteurId: string, by: Pick<Client, 'post'> = world) {
  const claim = { acteur_id: acteurId, message: 'Bonjour', email: 'odile@example.org' }
  const answer = await by.post('/claims', claim)
  expect(answer.status).toBe(201)
  return answer.body.data.id as string
}
const decideClaim = async (id: string, status: string) => {
  const answer = await moderator.patch(`/admin/claims/${id}`, { status })
  expect(answer.status).toBe(200)
  return answer.body.data.decision_id as string
}

test('the undo of an approval removes the ownership and reopens the claim and its rivals', async () => {
  const { id: acteurId } = await acteur()
  const anonymous = await claimOn(acteurId)
  const claimant = await user({ email: 'zoe@example.org', email_verified: true, last_seen_at: new Date() })
  const signedIn = await claimOn(acteurId, client({ token: claimant.token }))
  const before = [await claimRow(anonymous), await claimRow(signedIn)]
  const decision = await decideClaim(signedIn, 'approved')
  expect(await membersOf(acteurId)).toMatchObject([{ user_id: claimant.id, role: 'owner' }])
  expect((await claimRow(anonymous)).status).toBe('rejected')
  expect((await undo(moderator, decision)).body.meta).toEqual({ undone: 2, changed_since: 0 })
  expect(await membersOf(acteurId)).toEqual([])
  const after = [await claimRow(anonymous), await claimRow(signedIn)]
  expect(after.map((row) => ({ ...row, ...volatile }))).toEqual(
    before.map((row) => ({ ...row, ...volatile })),
  )
})

test('the undo of an approval makes the owner an editor again, with the previous permissions', async () => {
  const page = await acteur()
  const editor = await user({ memberships: [{ acteur: page, permissions: ['manage_publications'] }] })
  const before = await membersOf(page.id)
  const decision = await decideClaim(await claimOn(page.id, client({ token: editor.token })), 'approved')
  expect(await membersOf(page.id)).toMatchObject([{ role: 'owner' }])
  await undo(moderator, decision)
  const kept = (rows: typeof before) => rows.map((row) => ({ ...row, version: 0, updated_at: 0 }))
  expect(kept(await membersOf(page.id))).toEqual(kept(before))
})

test('the undo of an approval changes nothing if the membership has changed since', async () => {
  const page = await acteur()
  const claimant = await user()
  const id = await claimOn(page.id, client({ token: claimant.token }))
  const decision = await decideClaim(id, 'approved')
  await db.updateTable('actor_users').set({ role: 'editor' }).where('acteur_id', '=', page.id).execute()
  expect((await undo(moderator, decision)).body.data).toEqual([{ id, result: 'changed_since' }])
  expect((await claimRow(id)).status).toBe('approved')
  expect(await membersOf(page.id)).toMatchObject([{ role: 'editor' }])
})

test.each(['sending', 'sent', 'uncertain'])(
  'the undo of a claim returns 409 when its mail is %s',
  async (email_status) => {
    const id = await claimOn((await acteur()).id)
    const decision = await decideClaim(id, 'rejected')
    await db.updateTable('claims').set({ email_status }).where('id', '=', id).execute()
    expect(await undo(moderator, decision)).toBeError(409, 'mail_sent')
    expect(await actionsOn(decision)).toEqual([])
    expect((await claimRow(id)).status).toBe('rejected')
  },
)

test('the undo of a claim returns 409 while a mail that may have arrived is sent again', async () => {
  const id = await claimOn((await acteur()).id)
  const decision = await decideClaim(id, 'rejected')
  await db.updateTable('claims').set({ email_status: 'uncertain' }).where('id', '=', id).execute()
  expect((await admin.post(`/admin/mails/${id}/resend`)).status).toBe(200)
  expect(await undo(moderator, decision)).toBeError(409, 'mail_sent')
  expect((await claimRow(id)).status).toBe('rejected')
})

test('the undo of a rejection returns 409 when another claim is pending', async () => {
  const { id: acteurId } = await acteur()
  const first = await claimOn(acteurId)
  const decision = await decideClaim(first, 'rejected')
  await claimOn(acteurId)
  expect(await undo(moderator, decision)).toBeError(409, 'conflict')
})

test('the undo of a rejection keeps a parallel pending claim', async () => {
  const { id: acteurId } = await acteur()
  const anonymous = await claimOn(acteurId)
  const claimant = await user({ email: 'ines@example.org', email_verified: true, last_seen_at: new Date() })
  await claimOn(acteurId, client({ token: claimant.token }))
  const decision = await decideClaim(anonymous, 'rejected')
  expect((await undo(moderator, decision)).body.meta.undone).toBe(1)
  expect((await claimRow(anonymous)).status).toBe('pending')
})

test('nobody can undo the decision on their own claim', async () => {
  const claimant = await user({ roles: ['admin'] })
  const office = client({ source: 'backoffice', token: claimant.token })
  const id = await claimOn((await acteur()).id, office)
  const decision = await decideClaim(id, 'rejected')
  expect(await undo(office, decision)).toBeError(403, 'forbidden')
})

test('mails cancelled by an undo are never sent; those of the next decision are', async () => {
  const publication = await written()
  const claim = await claimOn((await acteur()).id)
  const reject = () =>
    moderator.patch(`${publicationOf(publication)}/moderate`, { moderation_status: 'rejected' })
  await undo(moderator, (await reject()).body.data.decision_id)
  await undo(moderator, await decideClaim(claim, 'rejected'))
  // First the jobs of the cancelled mails become due, then those of the other mails.
  const due = () => sql`update pgboss.job set start_after = now() where state < 'active'`.execute(db)
  await due()
  await world.runJobs()
  const { rows: dropped } = await sql<{ id: string }>`
    select id from pgboss.job where name in ('publications.tell-member', 'claims.tell-claimant')`.execute(db)
  await expect
    .poll(async () => {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from pgboss.job where id = any(${dropped.map(({ id }) => id)}::uuid[])
        and state < 'completed'`.execute(db)
      return rows[0]?.n
    })
    .toBe(0)
  expect((await claimRow(claim)).email_status).toBeNull()
  await decideClaim(claim, 'rejected')
  await reject()
  await due()
  await expect.poll(async () => (await claimRow(claim)).email_status).toBe('sent')
  await expect
    .poll(async () => (await mailsOf(publication)).map(({ email_status }) => email_status))
    .toEqual(['sent'])
})

test.each(['publish', 'delete'] as const)(
  'the undo of a later %s queues the mail of the rejection again if its job ran in between',
  async (later) => {
    const id = await written()
    const moderate = async (moderation_status: string) =>
      (await moderator.patch(`${publicationOf(id)}/moderate`, { moderation_status })).body.data.decision_id
    const decide = async () =>
      later === 'publish'
        ? moderate('published')
        : (await moderator.delete(publicationOf(id))).body.data.decision_id
    const rejections = async () => (await mailsOf(id)).filter(({ kind }) => kind === 'rejected')
    const rejection = await moderate('rejected')
    const decision = await decide()
    await world.runJobs()
    await sql`update pgboss.job set start_after = now() where state < 'active'`.execute(db)
    await expect.poll(rejections).toEqual([])
    expect((await undo(moderator, decision)).body.meta.undone).toBe(1)
    const mails = [
      expect.objectContaining({ kind: 'rejected', email_status: 'queued', decision_id: rejection }),
    ]
    expect(await rejections()).toEqual(mails)
    // It has its mail now.
    await undo(moderator, await decide())
    expect(await rejections()).toEqual(mails)
    expect((await undo(moderator, rejection)).body.meta.undone).toBe(1)
    expect(await rejections()).toEqual([])
  },
)

test('the undo of a decision queues no mail about a rejection of long ago', async () => {
  const id = await written()
  const moderate = async (moderation_status: string) =>
    (await moderator.patch(`${publicationOf(id)}/moderate`, { moderation_status })).body.data.decision_id
  const rejection = await moderate('rejected')
  await sql`update decisions set decided_at = now() - interval '2 hours' where id = ${rejection}`.execute(db)
  // As retention does.
  await db.deleteFrom('publication_mails').where('publication_id', '=', id).execute()
  expect((await undo(moderator, await moderate('published'))).body.meta.undone).toBe(1)
  expect(await mailsOf(id)).toEqual([])
})

test('retention deletes decisions after RETENTION_DECISIONS months', async () => {
  const { id } = await insertPublication(world, pending)
  const { decision_id } = (await moderator.patch(`${publicationOf(id)}/valide`)).body.data
  await sql`update decisions set decided_at = now() - interval '100 days' where id = ${decision_id}`.execute(
    db,
  )
  expect(await deleteOldDecisions(db, 3, 100)).toBe(1)
  expect(await db.selectFrom('decision_items').selectAll().where('record_id', '=', id).execute()).toEqual([])
})

test('retention deletes mails to authors after RETENTION_MAILS months', async () => {
  const id = await written()
  await moderator.patch(`${publicationOf(id)}/moderate`, { moderation_status: 'rejected' })
  expect(await deleteOldMails(db, 3, 100)).toBe(0)
  await sql`update publication_mails set created_at = now() - interval '100 days' where publication_id = ${id}`.execute(
    db,
  )
  expect(await deleteOldMails(db, 3, 100)).toBe(1)
  expect(await mailsOf(id)).toEqual([])
})
