import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { untilWaiting } from '../../../test/support/locks.ts'
import { openWorld } from '../../../test/support/world.ts'
import { recordFacts } from '../transparency/recording.ts'
import { complaintsKit } from './complaints.test-kit.ts'

const world = await openWorld()
const { db, as, user, client } = world
const { written, statementOf, complaintsOf, send } = complaintsKit(world)
const decider = await user({ roles: ['admin'] })
const admin = client({ source: 'backoffice', token: decider.token })
const other = await as('admin')
const moderator = await as('moderator')

const text = 'Notre club existe toujours, venez nous voir.'
const decide = (by: typeof admin, id: string, body: object = { decision: 'reversed' }) =>
  by.patch(`/admin/complaints/${id}`, body)

/** An association that an administrator deactivated, with a public publication and a second owner. */
async function deactivated() {
  const one = await written()
  const second = await user({ memberships: [{ acteur: one.acteur, role: 'owner' }], email_verified: true })
  const { id } = one.acteur
  const set = (active: boolean, by = admin) => by.patch(`/admin/acteurs/${id}/active`, { active })
  await set(false)
  const statementId = await statementOf(id)
  const complain = (by = one.asOwner) => by.post('/me/complaints', { statement_id: statementId, text })
  const acteurOf = () => db.selectFrom('acteurs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return { ...one, publicationId: one.id, id, second, set, statementId, complain, acteurOf }
}

async function contested() {
  const one = await deactivated()
  const { status, body } = await one.complain()
  expect(status).toBe(201)
  return { ...one, complaintId: body.data.id as string }
}

const auditOf = (id: string) =>
  db.selectFrom('audit_log').selectAll().where('entity_id', '=', id).orderBy('seq').execute()

test('an owner complains about a deactivation once, other members cannot', async () => {
  const one = await deactivated()
  const untilFor = async (by: typeof one.asOwner) =>
    (await by.get(`/me/statements?record_id=${one.id}`)).body.data[0].complain_until
  expect(await untilFor(one.asOwner)).toEqual(expect.any(String))
  expect(await untilFor(one.asEditor)).toBeNull()
  expect(await one.complain(one.asEditor)).toBeError(404, 'not_found')
  expect(await one.complain(client({ token: (await user()).token }))).toBeError(404, 'not_found')
  expect((await one.complain()).status).toBe(201)
  expect(await one.complain()).toBeError(409, 'conflict')
  expect((await one.asOwner.get(`/me/statements?record_id=${one.id}`)).body.data).toMatchObject([
    { complaint: { decision: null, answer: null } },
  ])
  expect(await complaintsOf(one.id)).toMatchObject([{ decider_id: decider.id, title: one.acteur.nom }])
})

test('moderators see the complaint with its acteur, and grant it', async () => {
  const one = await contested()
  await send()
  const { body } = await moderator.get(`/admin/complaints/${one.complaintId}`)
  expect(body.data).toMatchObject({
    ...{ about: 'statement', publication_id: null, acteur_id: one.id, title: one.acteur.nom },
    ...{ restriction: 'deactivated', holds: true, as_decided: null, can: ['edit'] },
  })
  const { body: list } = await moderator.get('/admin/complaints?state=open&per_page=100')
  expect(list.data).toContainEqual(expect.objectContaining({ id: one.complaintId, acteur_id: one.id }))
  expect(await decide(admin, one.complaintId)).toBeError(403, 'same_person')
  expect((await world.get(`/publications/${one.publicationId}`)).status).toBe(404)

  const { body: decided } = await decide(moderator, one.complaintId)
  expect(decided.data).toMatchObject({ decision: 'reversed', effect: 'restored', holds: false })
  expect(await one.acteurOf()).toMatchObject({ active: true })
  expect((await world.get(`/publications/${one.publicationId}`)).status).toBe(200)
  expect((await one.asOwner.get('/me/statements')).body.data).toEqual([])
  expect(
    (await auditOf(one.id)).map(({ action, before, after }) => ({ action, before, after })).at(-1),
  ).toEqual({ action: 'acteur.active', before: { active: false }, after: { active: true } })
  expect((await send()).map(({ to, subject }) => [to, subject])).toEqual([
    [one.owner.email, `Réponse à votre réclamation : « ${one.acteur.nom} »`],
    [one.second.email, `Une décision est annulée : « ${one.acteur.nom} »`],
  ])
})

test('a complaint that is upheld leaves the acteur deactivated', async () => {
  const one = await contested()
  const answer = 'Personne ne répond au siège du club.'
  const { body } = await decide(moderator, one.complaintId, { decision: 'upheld', answer })
  expect(body.data).toMatchObject({ decision: 'upheld', effect: null, holds: true })
  expect(await one.acteurOf()).toMatchObject({ active: false })
})

test('an activation meanwhile leaves nothing to contest, or to restore', async () => {
  const [one, late] = [await contested(), await deactivated()]
  await one.set(true)
  const entries = await auditOf(one.id)
  expect((await decide(moderator, one.complaintId)).body.data.effect).toBe('already_lifted')
  expect(await auditOf(one.id)).toEqual(entries)
  await late.set(true)
  expect(await late.complain()).toBeError(409, 'conflict')
})

test('a complaint does not lift a later deactivation, nor restore what was deleted', async () => {
  const [one, gone] = [await contested(), await contested()]
  await one.set(true)
  await one.set(false, other)
  expect((await decide(moderator, one.complaintId)).body.data.effect).toBe('changed_since')
  expect(await one.acteurOf()).toMatchObject({ active: false })
  await admin.delete(`/admin/acteurs/${gone.id}`)
  await send()
  expect((await decide(moderator, gone.complaintId)).body.data.effect).toBe('gone')
  expect((await send())[0]?.text).toContain('Cet acteur a été supprimé')
  expect(await gone.acteurOf()).toMatchObject({ active: false, deleted_at: expect.any(Date) })
})

test('a reversal waits for an activation that is running', async () => {
  const one = await contested()
  const held = await db.startTransaction().execute()
  await sql`select from acteurs where id = ${one.id} for no key update`.execute(held)
  await sql`update acteurs set active = true where id = ${one.id}`.execute(held)
  await sql`update statements set ended_at = now() where id = ${one.statementId}`.execute(held)
  const decided = decide(moderator, one.complaintId)
  await untilWaiting(db)
  await held.commit().execute()
  expect((await decided).body.data.effect).toBe('already_lifted')
})

test('a complaint waits for an activation that is running, and finds nothing left', async () => {
  const one = await deactivated()
  const held = await db.startTransaction().execute()
  await sql`update acteurs set active = true where id = ${one.id}`.execute(held)
  await sql`update statements set ended_at = now() where id = ${one.statementId}`.execute(held)
  const complaint = one.complain()
  await untilWaiting(db)
  await held.commit().execute()
  expect(await complaint).toBeError(409, 'conflict')
  expect(await complaintsOf(one.id)).toEqual([])
})

test('two people who decide at once, and an activation, give one outcome and one activation', async () => {
  const one = await contested()
  const upheld = { decision: 'upheld', answer: 'Personne ne répond au siège.' }
  const [first, second, set] = await Promise.all([
    decide(moderator, one.complaintId),
    decide(other, one.complaintId, upheld),
    one.set(true),
  ])
  expect([first.status, second.status].sort()).toEqual([200, 409])
  expect(set.status).toBe(200)
  expect(await one.acteurOf()).toMatchObject({ active: true })
  const activations = (await auditOf(one.id)).filter(
    ({ action, after }) => action === 'acteur.active' && (after as { active: boolean }).active,
  )
  expect(activations).toHaveLength(1)
})

test('the figures count the complaint for the commune of the acteur', async () => {
  const one = await contested()
  await decide(moderator, one.complaintId)
  await recordFacts(db)
  const { rows } = await sql`
    select commune_id, detail from moderation_facts where kind = 'complaint' and source_id = ${one.complaintId}`.execute(
    db,
  )
  expect(rows).toEqual([{ commune_id: one.acteur.commune_id, detail: 'reversed' }])
})
