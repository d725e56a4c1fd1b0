import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { modules } from '../../app.ts'
import { identityDigests } from '../../platform/access/erased-identities.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { importsKit, rss } from '../imports/imports.test-kit.ts'
import { erasePerson } from '../privacy/erase.ts'
import { deleteOldVersions } from './module.ts'
import { authorMail } from './notify.mail.ts'
import { authorMails, pageOf } from './notify.ts'
import { auditedValues, insertPublication, openAssociation } from './publications.test-kit.ts'

const world = await openWorld({ env: { IMPORT_ALLOW_PRIVATE: 'true' } })
const { as, db } = world
const moderator = await as('moderator')
const { acteur, owner, asOwner } = await openAssociation(world)
await db.updateTable('users').set({ email_verified: true }).where('id', '=', owner.id).execute()

const publish = async (values: object = {}) =>
  insertPublication(world, {
    title: 'Fête de la pomme',
    body: '<p>Samedi.</p>',
    acteur_id: acteur.id,
    created_by: owner.id,
    ...values,
  })
const at = ({ id }: { id: string }) => `/admin/publications/${id}`
const mailsOf = ({ id }: { id: string }) =>
  db.selectFrom('publication_mails').selectAll().where('publication_id', '=', id).execute()
const historyOf = async (one: { id: string }) => (await moderator.get(`${at(one)}/history`)).body.data

test('PATCH /admin/publications/{id} returns 200, keeps the status and is audited', async () => {
  for (const values of [
    {},
    { moderation_status: 'pending', valide: false },
    { moderation_status: 'rejected', valide: false },
  ]) {
    const one = await publish(values)
    const { status, body } = await moderator.patch(at(one), {
      title: ' Fête de la  poire ',
      date_debut: '2026-12-01',
      heure_debut: '20:30',
      reason: 'Ce sont des poires.',
    })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      ...{
        title: 'Fête de la poire',
        body: '<p>Samedi.</p>',
        date_debut: '2026-12-01',
        heure_debut: '20:30',
      },
      ...{ moderation_status: one.moderation_status, valide: one.valide, version: 2 },
    })
    expect(body.data.publie_le).toBe(one.publie_le?.toISOString())
    const [entry] = await auditedValues(world, one.id)
    expect(entry).toMatchObject({
      action: 'publication.correct',
      before: { title: 'Fête de la pomme', date_debut: null },
      after: { title: 'Fête de la poire', date_debut: '2026-12-01', reason: '(personal)' },
    })
  }
})

test('PATCH /admin/publications/{id} queues a delayed mail to the author', async () => {
  const one = await publish()
  await moderator.patch(at(one), { title: 'Fête de la poire', reason: 'Ce sont des poires.' })
  const [mail, ...others] = await mailsOf(one)
  expect([mail?.kind, mail?.email_status, mail?.decision_id, others]).toEqual([
    'corrected',
    'queued',
    null,
    [],
  ])
  const { rows } = await sql<{ held: boolean }>`
    select start_after > now() + interval '20 seconds' as held from pgboss.job
    where data ->> 'mailId' = ${mail?.id}`.execute(db)
  expect(rows).toEqual([{ held: true }])
  const found = (await authorMails.find(db, mail?.id ?? '')) ?? expect.fail('no mail')
  const { subject, text } = authorMail(found, owner.email ?? '', {
    from: 'a@b.example',
    pageOf: (one) => pageOf({ backoffice: true, publicUrl: 'https://parvis.example' }, one),
    objectionTo: () => null,
  })
  expect(subject).toBe('« Fête de la poire » a été corrigée')
  expect(text).toContain('Ce sont des poires.')
  expect(text).toContain(
    `https://parvis.example/backoffice/espace/${found.subjects[0]?.acteur_id}/publications/${one.id}\n`,
  )
})

test('PATCH /admin/publications/{id} without a change sends no mail and writes nothing', async () => {
  const one = await publish()
  const same = { title: 'Fête de la pomme', body: '<p>Samedi.</p>', reason: 'Rien' }
  for (const body of [{}, same]) expect((await moderator.patch(at(one), body)).body.data.version).toBe(1)
  expect([await mailsOf(one), await auditedValues(world, one.id)]).toEqual([[], []])
  expect(await historyOf(one)).toHaveLength(1)
})

test('PATCH /admin/publications/{id} sends no mail to an unverified address or to the corrector', async () => {
  const unverified = await world.user()
  const admin = await world.user({ roles: ['admin'], email_verified: true })
  const its = world.client({ source: 'backoffice', token: admin.token })
  for (const created_by of [unverified.id, null, admin.id]) {
    const one = await publish({ created_by })
    expect((await its.patch(at(one), { title: 'Autre titre' })).status).toBe(200)
    expect(await mailsOf(one)).toEqual([])
  }
})

test('PATCH /admin/publications/{id} returns 422 for invalid content and for other fields', async () => {
  const one = await publish()
  for (const body of [
    ...[{ title: '' }, { title: 'x'.repeat(201) }, { body: ' ' }, { type_id: uuidv7() }, { title: null }],
    ...[{ date_debut: '2026-12-02', date_fin: '2026-12-01' }, { heure_debut: '20:30' }],
    ...[{ moderation_status: 'published' }, { reason: 'x'.repeat(1_001) }],
  ])
    expect(await moderator.patch(at(one), body), JSON.stringify(body)).toBeError(422, 'validation_failed')
})

test('PATCH /admin/publications/{id} removes the image, and refuses another one', async () => {
  const image_url = 'https://croqueurs.example/pomme.jpg'
  const one = await publish({ image_url })
  expect(await moderator.patch(at(one), { image_url })).toBeError(422, 'validation_failed')
  const { status, body } = await moderator.patch(at(one), { image_url: null })
  expect([status, body.data.image_url, body.data.titre]).toEqual([200, null, 'Fête de la pomme'])
})

test('PATCH /admin/publications/{id} returns 403, 404, 409 if deleted and 412 for an old version', async () => {
  const one = await publish()
  const title = 'Autre titre'
  expect(await (await as('support')).patch(at(one), { title })).toBeError(403, 'admin_required')
  expect(await moderator.patch(at({ id: uuidv7() }), { title })).toBeError(404, 'not_found')
  expect(await moderator.patch(at(await publish({ deleted_at: new Date() })), { title })).toBeError(
    409,
    'conflict',
  )
  const past = { headers: { 'if-match': '"7"' } }
  for (const known of [one, await publish({ deleted_at: new Date() })])
    expect(await moderator.patch(at(known), { title }, past)).toBeError(412, 'precondition_failed')
})

test('GET /admin/publications/{id}/history returns 200 with the versions, newest first', async () => {
  const one = await publish()
  expect(await historyOf(one)).toMatchObject([
    {
      title: 'Fête de la pomme',
      written_by: owner.id,
      how: 'created',
      written_at: one.created_at.toISOString(),
    },
  ])
  await asOwner.patch(`/publications/${one.id}`, { body: 'Dimanche.' })
  await asOwner.patch(`/publications/${one.id}`, { date_debut: '2026-12-01' })
  await moderator.patch(at(one), { title: 'Fête de la poire' })
  const { body } = await moderator.get(`${at(one)}/history`)
  expect(body.meta.total).toBe(3)
  expect(body.data).toMatchObject([
    { title: 'Fête de la poire', body: 'Dimanche.', how: 'corrected', written_by_user: { nom: null } },
    { title: 'Fête de la pomme', body: 'Dimanche.', how: 'edited', written_by: owner.id },
    { title: 'Fête de la pomme', body: '<p>Samedi.</p>', how: 'created', written_by: owner.id },
  ])
  const second = await moderator.get(`${at(one)}/history?page=2&per_page=1`)
  expect(second.body.data).toMatchObject([{ how: 'edited' }])
  expect((await moderator.get(`${at(one)}/history?page=9`)).body).toMatchObject({
    data: [],
    meta: { total: 3 },
  })
  expect(await moderator.get(`${at({ id: uuidv7() })}/history`)).toBeError(404, 'not_found')
  expect(await moderator.get(`${at(one)}/history?sort=at`)).toBeError(422, 'validation_failed')
  expect(await (await as('support')).get(`${at(one)}/history`)).toBeError(403, 'admin_required')
})

test('concurrent corrections are all stored, one after the other', async () => {
  const one = await publish()
  const titles = Array.from({ length: 8 }, (_, n) => `Titre ${n}`)
  const answers = await Promise.all(titles.map((title) => moderator.patch(at(one), { title })))
  expect(answers.map(({ status }) => status)).toEqual(titles.map(() => 200))
  const history = await historyOf(one)
  const shown = (await moderator.get(at(one))).body.data.title
  expect(history.map(({ title }: { title: string }) => title).toSorted()).toEqual(
    [...titles, 'Fête de la pomme'].sort(),
  )
  expect([history[0].title, history.at(-1).how]).toEqual([shown, 'created'])
})

test('the text of an erased person is deleted when it is corrected, and no other is', async () => {
  const author = await world.user({ roles: ['moderator'] })
  const [never, before] = [
    await publish({ created_by: author.id, title: 'Zoé' }),
    await publish({ created_by: owner.id, title: 'Titre 1' }),
  ]
  const hers = world.client({ source: 'backoffice', token: author.token })
  expect((await hers.patch(at(before), { title: 'Zoé Martin' })).status).toBe(200)
  const tools = {
    db,
    jobs: world.jobs,
    modules,
    config: world.config,
    clock: () => new Date(),
    digests: identityDigests(world.config),
  }
  await erasePerson(tools, { user: author.id })
  for (const one of [never, before]) await moderator.patch(at(one), { title: 'Titre 2' })
  const titles = async (one: { id: string }) =>
    (await historyOf(one)).map(({ title }: { title: string }) => title)
  expect(await titles(never)).toEqual(['Titre 2'])
  expect(await titles(before)).toEqual(['Titre 2', 'Titre 1'])
})

test('keeps the newest hundred versions of a publication', async () => {
  const one = await publish()
  await moderator.patch(at(one), { title: 'Titre 0' })
  await sql`
    insert into publication_versions (id, publication_id, title, body, written_at, how)
    select gen_random_uuid(), ${one.id}, 'Vieux ' || n, 'Texte', now() - make_interval(days => n), 'edited'
    from generate_series(1, 120) n`.execute(db)
  await moderator.patch(at(one), { title: 'Titre 1' })
  const { meta, data } = (await moderator.get(`${at(one)}/history?per_page=100`)).body
  expect([meta.total, data[0].title, data[1].title]).toEqual([100, 'Titre 1', 'Titre 0'])
})

test('an import does not overwrite corrections, and its own changes are in the history', async () => {
  const imports = await importsKit(world)
  const item = { guid: '1', title: 'Bal', description: 'Samedi', link: 'https://bal.example/' }
  const source = await imports.source(rss(item), { acteur_id: acteur.id })
  await imports.run(source)
  const [one = { id: '' }] = await imports.publications(source)
  await moderator.patch(at(one), { title: 'Grand bal' })
  imports.say(source, rss({ ...item, title: 'Petit bal', description: 'Dimanche' }))
  expect(await imports.run(source)).toMatchObject({ status: 'succeeded', updated: 1 })
  const [after] = await imports.publications(source)
  expect([after?.title, after?.body]).toEqual(['Grand bal', 'Dimanche'])
  expect(await historyOf(one)).toMatchObject([
    { title: 'Grand bal', body: 'Dimanche', how: 'imported', written_by: null, written_by_user: null },
    { title: 'Grand bal', body: 'Samedi', how: 'corrected' },
    { title: 'Bal', how: 'created', written_by: null },
  ])
})

test('retention deletes old versions except the newest', async () => {
  const one = await publish()
  await moderator.patch(at(one), { title: 'Titre 1' })
  await moderator.patch(at(one), { title: 'Titre 2' })
  await sql`update publication_versions set written_at = written_at - interval '25 months'
    where publication_id = ${one.id}`.execute(db)
  expect(await deleteOldVersions(db, 24, 100)).toBe(2)
  expect(await deleteOldVersions(db, 24, 100)).toBe(0)
  expect(await historyOf(one)).toMatchObject([{ title: 'Titre 2', how: 'corrected' }])
})
