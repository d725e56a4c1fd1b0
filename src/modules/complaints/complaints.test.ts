import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { untilWaiting } from '../../../test/support/locks.ts'
import { openWorld, run } from '../../../test/support/world.ts'
import { modules } from '../../app.ts'
import { identityDigests } from '../../platform/access/erased-identities.ts'
import { objectionLinks } from '../grounds/objecting.ts'
import { erasePerson } from '../privacy/erase.ts'
import { exportPerson } from '../privacy/export.ts'
import { confirmReporter } from '../publications/reports/confirming.ts'
import { reportsKit } from '../publications/reports/reports.test-kit.ts'
import { deleteOldReporters } from '../publications/reports/sweep.ts'
import { complaintsKit, why } from './complaints.test-kit.ts'
import { fileComplaint } from './file.ts'
import { deleteOldComplaints } from './module.ts'

const world = await openWorld({ env: { TRUST_PROXY: 'loopback' } })
const { db, as, user, client, config, jobs, outbox } = world
const { written, statementOf, statementsOf, complaintsOf, publicationOf, send } = complaintsKit(world)
const reports = reportsKit(world)
const decider = await user({ roles: ['moderator'] })
const moderator = client({ source: 'backoffice', token: decider.token })
const second = await as('moderator')
const admin = await as('admin')
const links = objectionLinks(config)

const complain = (by: { post: typeof world.post }, statement_id: string, text = why) =>
  by.post('/me/complaints', { statement_id, text })
const decide = (by: typeof admin, id: string, body: object = { decision: 'reversed' }) =>
  by.patch(`/admin/complaints/${id}`, body)
/** A publication that the first moderator restricted, and the complaint of its author. */
async function contested(restrict: (at: string) => Promise<unknown> = hide, values: object = {}) {
  const one = await written(values)
  await restrict(one.at)
  const statementId = await statementOf(one.id)
  const answer = await complain(one.asEditor, statementId)
  expect(answer.status).toBe(201)
  return { ...one, statementId, complaintId: answer.body.data.id as string }
}
const hide = (at: string) => moderator.patch(`${at}/valide`, { valide: false, reason: 'Photo floue.' })
const auditOf = (id: string) =>
  db.selectFrom('audit_log').selectAll().where('entity_id', '=', id).orderBy('seq').execute()

/** Makes outcomes older, past the trigger that keeps them. */
const ageOutcomes = (by: string) =>
  run(
    world.database.owner,
    `alter table complaints disable trigger complaints_outcome;
     update complaints set decided_at = decided_at - interval '${by}';
     alter table complaints enable trigger complaints_outcome`,
  )

test('an author complains once, gets a receipt, and sees the complaint beside the statement', async () => {
  await send()
  const one = await contested()
  expect((await send()).map(({ to, subject }) => [to, subject])).toEqual([
    [one.editor.email, `Votre réclamation : « ${one.title} »`],
  ])
  expect(await complain(one.asEditor, one.statementId)).toBeError(409, 'conflict')
  const { body } = await one.asEditor.get(`/me/statements?record_id=${one.id}`)
  expect(body.data).toMatchObject([{ complaint: { decision: null, answer: null } }])
  expect((await one.asOwner.get(`/me/statements?record_id=${one.id}`)).body.data[0].complaint).toBeNull()
  // Another person may complain too.
  expect((await complain(one.asOwner, one.statementId)).status).toBe(201)
  expect((await auditOf(one.complaintId)).map(({ action, after }) => [action, after])).toEqual([
    [
      'complaint.create',
      expect.objectContaining({ text: '(personal)', title: '(personal)', decider_id: decider.id }),
    ],
  ])
})

test('concurrent complaints of one person are one', async () => {
  const one = await written()
  await hide(one.at)
  const id = await statementOf(one.id)
  const answers = await Promise.all([1, 2, 3, 4].map(() => complain(one.asEditor, id)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
  expect(await complaintsOf(one.id)).toHaveLength(1)
})

test('POST /me/complaints returns 404 for what is not theirs', async () => {
  const one = await written()
  await hide(one.at)
  const stranger = client({ token: (await user()).token })
  expect(await complain(stranger, await statementOf(one.id))).toBeError(404, 'not_found')
})

test('POST /me/complaints returns 422 for a text of fewer than 20 characters, or more than 5 000', async () => {
  const one = await written()
  await hide(one.at)
  const id = await statementOf(one.id)
  for (const text of ['Non.', `${' '.repeat(30)}Non.`, 'x'.repeat(5_001)])
    expect(await complain(one.asEditor, id, text)).toBeError(422, 'validation_failed')
  expect(await complaintsOf(one.id)).toEqual([])
})

test('POST /me/complaints returns 409 once the decision is lifted, and after six months', async () => {
  const [one, other] = [await written(), await written()]
  for (const { at } of [one, other]) await hide(at)
  await moderator.patch(`${one.at}/valide`, { valide: true })
  expect(await complain(one.asEditor, await statementOf(one.id))).toBeError(409, 'conflict')
  const id = await statementOf(other.id)
  await sql`update statements set decided_at = now() - interval '6 months' where id = ${id}`.execute(db)
  expect(await complain(other.asEditor, id)).toBeError(409, 'conflict')
  await sql`update statements set decided_at = now() - interval '6 months' + interval '1 day' where id = ${id}`.execute(
    db,
  )
  expect((await complain(other.asEditor, id)).status).toBe(201)
})

test('the mail of a decision has a link of its recipient, which no other key made', async () => {
  const one = await written()
  await hide(one.at)
  const objection = { about: 'statement', id: await statementOf(one.id), by: one.editor.id } as const
  const token = links.linkOf(objection)?.split('/').at(-1) ?? ''
  expect(links.read(token)).toEqual(objection)
  const forged = objectionLinks({ ...config, sessionKeys: ['another key that is long enough'] })
  expect(forged.read(token)).toBeNull()
  expect(links.read(`c${token.slice(1)}`)).toBeNull()
  expect(links.read('nonsense')).toBeNull()
  const rotated = objectionLinks({
    ...config,
    sessionKeys: ['another key that is long enough', ...config.sessionKeys],
  })
  expect(rotated.read(token)).toEqual(objection)
})

test('GET /admin/complaints filters by state and age, oldest first', async () => {
  const [one, other] = [await contested(), await contested()]
  await sql`update complaints set created_at = now() - interval '20 days' where id = ${other.complaintId}`.execute(
    db,
  )
  const ids = async (query: string) =>
    (await second.get(`/admin/complaints?${query}&per_page=100`)).body.data.map(
      ({ id }: { id: string }) => id,
    )
  expect((await ids('state=open'))[0]).toBe(other.complaintId)
  expect(await ids('state=open&older_than_days=14')).toEqual([other.complaintId])
  await decide(second, one.complaintId, { decision: 'upheld', answer: 'La photo est floue.' })
  expect(await ids('state=upheld')).toEqual([one.complaintId])
  expect(await ids('state=open')).not.toContain(one.complaintId)
  const { body } = await second.get(`/admin/complaints/${other.complaintId}`)
  expect(body.data).toMatchObject({
    about: 'statement',
    restriction: 'hidden',
    reason: 'Photo floue.',
    text: why,
    decided_against_by: decider.id,
    user_id: other.editor.id,
    holds: true,
    as_decided: { title: other.title, body: other.body },
    can: ['edit'],
  })
  expect((await moderator.get(`/admin/complaints/${other.complaintId}`)).body.data.can).toEqual([])
  const { body: counts } = await second.get('/admin/counts')
  expect(counts.data.complaints.count).toBeGreaterThan(0)
})

test('the text when it was decided is shown, whatever was written since', async () => {
  const one = await contested()
  await second.patch(one.at, { title: 'Autre titre', reason: 'Faute.' })
  const { body } = await second.get(`/admin/complaints/${one.complaintId}`)
  expect(body.data.as_decided).toEqual({ title: one.title, body: one.body })
})

test('whoever decided cannot decide the complaint, not even by the database', async () => {
  const one = await contested()
  expect(await decide(moderator, one.complaintId)).toBeError(403, 'same_person')
  await expect(
    sql`update complaints set decision = 'reversed', effect = 'restored', decided_as = 'colleague', decided_by = ${decider.id},
      decided_at = now() where id = ${one.complaintId}`.execute(db),
  ).rejects.toThrow('complaints_same_person')
  expect((await publicationOf(one.id)).valide).toBe(false)
})

test('nobody decides their own complaint', async () => {
  const one = await written()
  const colleague = await user({ roles: ['moderator'] })
  await db.updateTable('publications').set({ created_by: colleague.id }).where('id', '=', one.id).execute()
  await hide(one.at)
  const theirs = client({ source: 'backoffice', token: colleague.token })
  const { body } = await complain(theirs, await statementOf(one.id))
  expect(await decide(theirs, body.data.id)).toBeError(403, 'forbidden')
})

test('an administrator decides where there is no other moderator, and the answer says so', async () => {
  const one = await contested()
  await send()
  const others = () =>
    db.updateTable('user_roles').where('role', '=', 'moderator').where('user_id', '!=', decider.id)
  await others().set({ role: 'support' }).execute()
  try {
    const { body } = await decide(admin, one.complaintId)
    expect(body.data.decided_as).toBe('administrator')
  } finally {
    await db.updateTable('user_roles').set({ role: 'moderator' }).where('role', '=', 'support').execute()
  }
  expect((await send())[0]?.text).toContain('il n’y a pas d’autre modérateur')
})

test('PATCH /admin/complaints/{id} returns 422 for a decision that is upheld without an answer', async () => {
  const one = await contested()
  const refused = await decide(second, one.complaintId, { decision: 'upheld', answer: ' ' })
  expect(refused).toBeError(422, 'validation_failed')
  expect(await decide(second, one.complaintId, { decision: 'upheld' })).toBeError(422, 'validation_failed')
  const answer = 'La photo est floue.'
  expect((await decide(second, one.complaintId, { decision: 'upheld', answer })).body.data).toMatchObject({
    decision: 'upheld',
    answer,
    effect: null,
    decided_as: 'colleague',
    version: 2,
    can: [],
  })
  expect((await publicationOf(one.id)).valide).toBe(false)
  expect(await decide(admin, one.complaintId)).toBeError(409, 'conflict')
  const [mail] = (await send()).filter(({ subject }) => subject.startsWith('Réponse'))
  expect(mail?.text).toContain(`La décision est maintenue.\n\n${answer}`)
})

test('PATCH /admin/complaints/{id} returns 404 for an unknown id and 412 for another version', async () => {
  const one = await contested()
  expect(await decide(second, one.id)).toBeError(404, 'not_found')
  expect(await second.get(`/admin/complaints/${one.id}`)).toBeError(404, 'not_found')
  const headers = { 'if-match': '"9"' }
  const answer = await second.patch(
    `/admin/complaints/${one.complaintId}`,
    { decision: 'reversed' },
    { headers },
  )
  expect(answer).toBeError(412, 'precondition_failed')
})

/** What each restriction takes, compared with what an undo of the decision restores. */
const restrictions: [string, (at: string) => Promise<unknown>, object][] = [
  [
    'rejected',
    (at) => moderator.patch(`${at}/moderate`, { moderation_status: 'rejected', reason: 'Non.' }),
    {},
  ],
  ['hidden', hide, {}],
  ['set back to pending', (at) => moderator.patch(`${at}/moderate`, { moderation_status: 'pending' }), {}],
  ['deleted', (at) => moderator.delete(at), {}],
  ['unfeatured', (at) => moderator.patch(`${at}/feature`, { en_avant: false }), { en_avant: true }],
]

test.each(restrictions)(
  'a reversal restores what was taken, as an undo does: %s',
  async (_, restrict, values) => {
    const one = await contested(restrict, { moderation_reason: 'Relu.', ...values })
    await send()
    const { body } = await decide(second, one.complaintId)
    expect(body.data).toMatchObject({ decision: 'reversed', effect: 'restored', holds: false })
    const { version, updated_at, created_at, created_by, ...after } = await publicationOf(one.id)
    for (const name of [
      'moderation_status',
      'moderation_reason',
      'valide',
      'en_avant',
      'deleted_at',
    ] as const)
      expect([name, after[name]]).toEqual([name, one[name]])
    const statements = await statementsOf(one.id)
    expect(statements.map(({ ended_at }) => ended_at)).toEqual([expect.any(Date)])
    expect((await auditOf(one.id)).at(-1)?.action).toBe('publication.undo')
    expect((await send()).map(({ to, subject }) => [to, subject])).toEqual([
      [one.editor.email, `Réponse à votre réclamation : « ${one.title} »`],
      [one.owner.email, `Une décision est annulée : « ${one.title} »`],
    ])
  },
)

test('a reversal leaves a text that was corrected since', async () => {
  const one = await contested()
  await second.patch(one.at, { title: 'Titre corrigé', reason: 'Faute.' })
  expect((await decide(second, one.complaintId)).body.data.effect).toBe('restored')
  expect(await publicationOf(one.id)).toMatchObject({ title: 'Titre corrigé', valide: true })
})

test('a reversal of what was decided again by another ground changes nothing', async () => {
  const reject = (at: string, ground: string) =>
    moderator.patch(`${at}/moderate`, { moderation_status: 'rejected', ground, reason: ground })
  const one = await contested((at) => reject(at, 'spam'))
  await reject(one.at, 'date')
  expect((await decide(second, one.complaintId)).body.data.effect).toBe('changed_since')
  expect(await publicationOf(one.id)).toMatchObject({
    moderation_status: 'rejected',
    moderation_reason: 'date',
  })
})

test('a reversal of what was deleted since changes nothing', async () => {
  const one = await contested()
  expect((await one.asOwner.delete(`/publications/${one.id}`)).status).toBe(200)
  expect((await decide(second, one.complaintId)).body.data.effect).toBe('gone')
  expect(await publicationOf(one.id)).toMatchObject({ valide: false, deleted_at: expect.any(Date) })
})

test('a complaint waits for an undo that is running, and finds nothing left', async () => {
  const one = await written()
  const decided = (await hide(one.at)).body.data.decision_id
  const id = await statementOf(one.id)
  const held = await db.startTransaction().execute()
  await sql`update statements set ended_at = now() where decision_id = ${decided}`.execute(held)
  const complaint = complain(one.asEditor, id)
  await untilWaiting(db)
  await held.commit().execute()
  expect(await complaint).toBeError(409, 'conflict')
  expect(await complaintsOf(one.id)).toEqual([])
})

test('an undo and the reversal of a complaint at the same time restore once', async () => {
  const one = await written()
  const decided = (await hide(one.at)).body.data.decision_id
  const { body } = await complain(one.asEditor, await statementOf(one.id))
  const [undone, reversed] = await Promise.all([
    moderator.post(`/admin/decisions/${decided}/undo`),
    decide(second, body.data.id),
  ])
  expect([undone.status, reversed.status]).toEqual([200, 200])
  const results = [undone.body.data[0].result, reversed.body.data.effect]
  expect([
    ['undone', 'already_lifted'],
    ['changed_since', 'restored'],
  ]).toContainEqual(results)
  expect((await publicationOf(one.id)).valide).toBe(true)
  expect((await auditOf(one.id)).filter(({ action }) => action === 'publication.undo')).toHaveLength(1)
})

test('two people who decide a complaint at the same time give one outcome and one answer', async () => {
  const one = await contested()
  await send()
  const upheld = { decision: 'upheld', answer: 'La photo est floue.' }
  const answers = await Promise.all([decide(second, one.complaintId), decide(admin, one.complaintId, upheld)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const [row] = await complaintsOf(one.id)
  expect((await publicationOf(one.id)).valide).toBe(row?.decision === 'reversed')
  expect((await send()).filter(({ subject }) => subject.startsWith('Réponse'))).toHaveLength(1)
  await expect(
    sql`update complaints set answer = 'Autre' where id = ${one.complaintId}`.execute(db),
  ).rejects.toThrow('one outcome')
})

test('an erasure deletes a complaint before or after its decision, never half', async () => {
  const tools = {
    db,
    jobs,
    modules,
    config,
    outbox,
    clock: () => new Date(),
    digests: identityDigests(config),
  }
  const one = await contested()
  const person = { userIds: [one.editor.id], emails: [one.editor.email ?? ''] }
  let text = ''
  for await (const piece of exportPerson(tools, person)) text += piece
  expect(JSON.parse(text).complaints).toMatchObject([{ id: one.complaintId, text: why }])
  const [decided] = await Promise.all([
    decide(second, one.complaintId),
    erasePerson(tools, { user: one.editor.id }),
  ])
  expect(await complaintsOf(one.id)).toEqual([])
  expect((await publicationOf(one.id)).valide).toBe(decided.status === 200)
  // 503: the erasure took longer than a write waits for a lock.
  if (decided.status !== 200) expect([404, 503]).toContain(decided.status)
})

test('decided complaints are deleted after so many months, open ones stay', async () => {
  const [one, other] = [await contested(), await contested()]
  await decide(second, one.complaintId)
  await ageOutcomes('13 months')
  await sql`update complaints set created_at = now() - interval '3 years' where id = ${other.complaintId}`.execute(
    db,
  )
  await deleteOldComplaints(db, 12, 100)
  expect([await complaintsOf(one.id), (await complaintsOf(other.id)).length]).toEqual([[], 1])
})

/** A reported publication whose reports the first moderator found unfounded, and the link of the reporter. */
async function reported(email: string) {
  const one = await written()
  await world.post(`/publications/${one.id}/report`, { category: 'spam', email }, reports.another())
  const row = await sql<{ id: string; case_id: string }>`
    select r.id, f.case_id from reporters r join case_reporters f on f.reporter_id = r.id
    join report_cases c on c.id = f.case_id where c.publication_id = ${one.id}`.execute(db)
  const { id: by = '', case_id: id = '' } = row.rows[0] ?? {}
  await confirmReporter(db, { id: by, isConfirmed: false })
  return { ...one, objection: { about: 'case', id, by } as const }
}
const close = (at: string) => moderator.post(`${at}/reports/close`)
const anonymous = { user: null, source: null, requestId: null, ifMatch: null, repeat: null }

test('a reporter complains by the link of the outcome; a reversal opens the report again', async () => {
  const one = await reported('odile@example.org')
  await close(one.at)
  await reports.send()
  const link = links.linkOf(one.objection)
  await send()
  const { id } = await fileComplaint({ db, jobs }, anonymous, one.objection, why)
  await expect(fileComplaint({ db, jobs }, anonymous, one.objection, why)).rejects.toMatchObject({
    code: 'conflict',
  })
  expect(link).toContain('/reclamation/c')
  const { body } = await second.get(`/admin/complaints/${id}`)
  expect(body.data).toMatchObject({
    about: 'report',
    outcome: 'unfounded',
    user_id: null,
    decided_against_by: decider.id,
  })
  expect(JSON.stringify(body)).not.toContain('odile')
  expect(await decide(moderator, id)).toBeError(403, 'same_person')
  expect((await decide(second, id)).body.data).toMatchObject({ effect: 'restored', holds: false })
  const { rows } = await sql`
    select from publication_reports where publication_id = ${one.id} and closed_at is null`.execute(db)
  expect(rows).toHaveLength(1)
  expect((await send()).map(({ to, subject }) => [to, subject.split(' :')[0]])).toEqual([
    ['odile@example.org', 'Votre réclamation'],
    ['odile@example.org', 'Réponse à votre réclamation'],
  ])
  expect((await publicationOf(one.id)).valide).toBe(true)
})

test('the outcome mail has the link where something was left, and none where it was taken', async () => {
  const [kept, taken] = [await reported('kept@example.org'), await reported('taken@example.org')]
  await reports.send()
  await close(kept.at)
  await hide(taken.at)
  const mails = await reports.send()
  const textTo = (address: string) => mails.find(({ to }) => to === address)?.text
  expect(textTo('kept@example.org')).toContain(links.linkOf(kept.objection))
  expect(textTo('taken@example.org')).not.toContain('/reclamation/')
  await expect(fileComplaint({ db, jobs }, anonymous, taken.objection, why)).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('the address of a reporter stays until the complaint is answered', async () => {
  const one = await reported('late@example.org')
  await close(one.at)
  const { id } = await fileComplaint({ db, jobs }, anonymous, one.objection, why)
  await sql`update report_cases set ended_at = now() - interval '7 months' where id = ${one.objection.id}`.execute(
    db,
  )
  await deleteOldReporters(db, 6, 100)
  const stays = () => db.selectFrom('reporters').where('id', '=', one.objection.by).execute()
  expect(await stays()).toHaveLength(1)
  await decide(second, id, { decision: 'upheld', answer: 'Rien à redire.' })
  await ageOutcomes('8 days')
  await sql`update reporters set created_at = now() - interval '1 day'`.execute(db)
  await deleteOldReporters(db, 6, 100)
  expect(await stays()).toEqual([])
})

/** Reports somebody's publication while signed in, and lets the first moderator find the report unfounded. */
async function reportedBy({ token }: { token: string }, body: object = {}) {
  const one = await written()
  const mine = client({ token })
  await mine.post(`/publications/${one.id}/report`, { category: 'spam', ...body })
  const report = async () =>
    (await mine.get('/me/reports')).body.data.find(
      ({ publication_id }: { publication_id: string }) => publication_id === one.id,
    )
  const { id } = await report()
  return { ...one, mine, report, path: `/me/reports/${id}/complaint` }
}

test('who reported while signed in complains in the account, without an address, and is not named', async () => {
  const reporter = await user({ nom: 'Odile Vauquelin', email_verified: true })
  const one = await reportedBy(reporter)
  const until = async () => (await one.report()).complain_until
  expect(await until()).toBeNull()
  expect(await one.mine.post(one.path, { text: why })).toBeError(404, 'not_found')
  await close(one.at)
  expect(await until()).toEqual(expect.any(String))
  expect(await one.mine.post(one.path, { text: 'Non.' })).toBeError(422, 'validation_failed')
  const stranger = client({ token: (await user()).token })
  expect(await stranger.post(one.path, { text: why })).toBeError(404, 'not_found')
  await send()
  const sent = await Promise.all([1, 2, 3].map(() => one.mine.post(one.path, { text: why })))
  expect(sent.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  const id = sent.find(({ status }) => status === 201)?.body.data.id
  expect(await complaintsOf(one.id)).toMatchObject([{ user_id: reporter.id, reporter_id: null }])
  expect((await one.report()).complaint).toMatchObject({ decision: null, answer: null })
  for (const path of [`/admin/complaints/${id}`, '/admin/complaints?state=open&per_page=100']) {
    const { text } = await second.get(path)
    expect(text).toContain(id)
    expect(text).not.toMatch(new RegExp(`Odile Vauquelin|${reporter.id}`))
  }
  expect(JSON.stringify((await auditOf(id)).map(({ after }) => after))).not.toContain(reporter.id)
  expect(
    (await decide(second, id, { decision: 'upheld', answer: 'Rien à redire.' })).body.data,
  ).toMatchObject({
    about: 'report',
    user_id: null,
  })
  expect((await one.report()).complaint).toMatchObject({ decision: 'upheld', answer: 'Rien à redire.' })
  expect((await send()).map(({ to, subject }) => [to, subject.split(' :')[0]])).toEqual([
    [reporter.email, 'Votre réclamation'],
    [reporter.email, 'Réponse à votre réclamation'],
  ])
})

test('the answer to a complaint that opens a report again stays with the report, until it is decided anew', async () => {
  const one = await reportedBy(await user())
  await close(one.at)
  const { id } = (await one.mine.post(one.path, { text: why })).body.data
  await decide(second, id, { decision: 'reversed', answer: 'Vous aviez raison.' })
  const answered = { decision: 'reversed', answer: 'Vous aviez raison.' }
  expect(await one.report()).toMatchObject({ outcome: null, complain_until: null, complaint: answered })
  await close(one.at)
  expect(await one.report()).toMatchObject({ outcome: 'unfounded', complaint: null })
  expect((await one.mine.post(one.path, { text: why })).status).toBe(201)
  expect((await one.report()).complaint).toMatchObject({ decision: null })
})

test('a moderator who reported cannot decide their own complaint', async () => {
  const colleague = await user({ roles: ['moderator'] })
  const one = await reportedBy(colleague)
  await close(one.at)
  const { id } = (await one.mine.post(one.path, { text: why })).body.data
  const theirs = client({ source: 'backoffice', token: colleague.token })
  expect((await theirs.get(`/admin/complaints/${id}`)).body.data.can).toEqual([])
  expect(await decide(theirs, id)).toBeError(403, 'forbidden')
})

test('who gave an address while signed in complains once, by the link or in the account', async () => {
  for (const first of ['link', 'account']) {
    const one = await reportedBy(await user(), { email: `${first}@example.org` })
    await close(one.at)
    const { rows } = await sql<{ id: string; by: string }>`
      select f.case_id as id, f.reporter_id as by from case_reporters f join report_cases c on c.id = f.case_id
      where c.publication_id = ${one.id}`.execute(db)
    const byLink = () =>
      fileComplaint({ db, jobs }, anonymous, { about: 'case', ...(rows[0] ?? { id: '', by: '' }) }, why)
    if (first === 'link') {
      await byLink()
      expect((await one.report()).complaint).toMatchObject({ decision: null })
      expect(await one.mine.post(one.path, { text: why })).toBeError(409, 'conflict')
    } else {
      expect((await one.mine.post(one.path, { text: why })).status).toBe(201)
      await expect(byLink()).rejects.toMatchObject({ code: 'conflict' })
    }
    expect(await complaintsOf(one.id)).toHaveLength(1)
  }
})

test('of a complaint by the link and one in the account at once, one is filed', async () => {
  const one = await reportedBy(await user(), { email: 'both@example.org' })
  await close(one.at)
  const { rows } = await sql<{ id: string; by: string }>`
    select f.case_id as id, f.reporter_id as by from case_reporters f join report_cases c on c.id = f.case_id
    where c.publication_id = ${one.id}`.execute(db)
  const link = { about: 'case', ...(rows[0] ?? { id: '', by: '' }) } as const
  const tx = await db.startTransaction().execute()
  await sql`lock table complaints in share mode`.execute(tx)
  const filed = Promise.allSettled([
    fileComplaint({ db, jobs }, anonymous, link, why),
    one.mine.post(one.path, { text: why }),
  ])
  await untilWaiting(db, 2)
  await tx.commit().execute()
  await filed
  expect(await complaintsOf(one.id)).toHaveLength(1)
})

test('POST /me/reports/{id}/complaint returns 409 after six months', async () => {
  const one = await reportedBy(await user())
  await close(one.at)
  await sql`update report_cases set ended_at = now() - interval '6 months' where publication_id = ${one.id}`.execute(
    db,
  )
  expect(await one.mine.post(one.path, { text: why })).toBeError(409, 'conflict')
})
