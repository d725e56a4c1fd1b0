import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { mergeKit } from '../acteurs/merge/merge.test-kit.ts'
import { claimsKit } from './claims.test-kit.ts'
import { expireClaims } from './expire.ts'
import { claimsOfPerson } from './module.ts'

const world = await openWorld()
const { as, client, post, get, user, db } = world
const { stored, auditEntries, membersOf, age } = claimsKit(world)
const { runMerge } = mergeKit(world)
const [admin, moderator] = [await as('admin'), await as('moderator')]
const commune = await world.commune({ slug: 'chambery' })
const signal = new AbortController().signal
const message = 'Je préside ce club.'

const bodyOf = (nom: string, more: object = {}) => ({
  acteur: { nom, type: 'association', commune_id: commune.id },
  ...{ message, nom: 'Odile', email: 'odile@example.org', ...more },
})

async function register(nom: string, more: object = {}, token?: string) {
  const { status, body, text } = await post('/registrations', bodyOf(nom, more), token ? { token } : {})
  if (status !== 201) throw new Error(text)
  const { acteur_id } = await stored(body.data.id)
  return { id: body.data.id as string, reference: body.data.reference as string, acteurId: acteur_id }
}

const acteurOf = (id: string) =>
  db.selectFrom('acteurs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const decide = (id: string, status: string) => moderator.patch(`/admin/claims/${id}`, { status })
const actionsOn = async (id: string) => (await auditEntries(id)).map(({ action }) => action)
const countActeurs = async () => (await db.selectFrom('acteurs').select('id').execute()).length

test('adds an acteur that only the back-office sees, with the claim to it', async () => {
  const { id, reference, acteurId } = await register('Pétanque de Chambéry')
  const acteur = await acteurOf(acteurId)
  expect(acteur).toMatchObject({ nom: 'Pétanque de Chambéry', type: 'association', commune_id: commune.id })
  expect(acteur).toMatchObject({ valide: false, active: true, can_publish: false, deleted_at: null })
  expect(await stored(id)).toMatchObject({
    status: 'pending',
    reference,
    message,
    email: 'odile@example.org',
  })
  expect(await get(`/acteurs/${acteur.slug}`)).toBeError(404, 'not_found')
  expect((await moderator.get(`/admin/claims/${id}`)).body.data).toMatchObject({ registers: true })
  expect([await actionsOn(acteurId), await actionsOn(id)]).toEqual([['acteur.create'], ['claim.create']])
})

test('an approval validates the acteur and names its owner', async () => {
  const claimant = await user()
  const { id, acteurId } = await register('Chorale', {}, claimant.token)
  expect((await decide(id, 'approved')).status).toBe(200)
  expect(await acteurOf(acteurId)).toMatchObject({ valide: true, deleted_at: null })
  expect(await membersOf(acteurId)).toMatchObject([{ user_id: claimant.id, role: 'owner' }])
  expect(await actionsOn(acteurId)).toEqual(['acteur.create', 'acteur.validate'])
})

test('a rejection deletes the acteur', async () => {
  const { id, acteurId } = await register('Casino en ligne')
  expect((await decide(id, 'rejected')).status).toBe(200)
  expect(await acteurOf(acteurId)).toMatchObject({ valide: false, deleted_at: expect.any(Date) })
  expect(await actionsOn(acteurId)).toEqual(['acteur.create', 'acteur.delete'])
})

test.each(['approved', 'rejected'])('an undo of %s lets the acteur wait again', async (status) => {
  const { id, acteurId } = await register(`Club ${status}`)
  const { decision_id } = (await decide(id, status)).body.data
  expect((await moderator.post(`/admin/decisions/${decision_id}/undo`)).status).toBe(200)
  expect(await acteurOf(acteurId)).toMatchObject({ valide: false, deleted_at: null })
  expect((await stored(id)).status).toBe('pending')
  expect(await membersOf(acteurId)).toEqual([])
  expect((await decide(id, 'approved')).status).toBe(200)
  expect((await acteurOf(acteurId)).valide).toBe(true)
})

test('an expired claim deletes its acteur, in the name of nobody', async () => {
  const { id, acteurId } = await register('Oublié')
  await age(id, 400)
  expect(await expireClaims(db, 30, signal)).toBe(1)
  expect((await acteurOf(acteurId)).deleted_at).not.toBeNull()
  expect((await auditEntries(acteurId)).at(-1)).toMatchObject({ action: 'acteur.delete', user_id: null })
})

test('the erasure of its claimant deletes the acteur', async () => {
  const { id, acteurId } = await register('Effacé', { email: 'efface@example.org' })
  const person = { userIds: [], emails: ['efface@example.org'] }
  await db.transaction().execute(async (tx) => claimsOfPerson.erase?.(tx, person))
  expect((await stored(id)).status).toBe('expired')
  expect((await acteurOf(acteurId)).deleted_at).not.toBeNull()
})

test('an acteur that an administrator has validated stays, whatever becomes of the claim', async () => {
  const { id, acteurId } = await register('Validé avant')
  await admin.patch(`/admin/acteurs/${acteurId}/validate`)
  await decide(id, 'rejected')
  expect(await acteurOf(acteurId)).toMatchObject({ valide: true, deleted_at: null })
})

test('a rejection during a merge leaves the acteur to the merge', async () => {
  const { id, acteurId } = await register('En fusion')
  const target = await world.acteur({ nom: 'Cible', valide: true, commune_id: commune.id })
  await admin.post(`/admin/acteurs/${acteurId}/merge`, { into: target.id })
  await decide(id, 'rejected')
  expect(await actionsOn(acteurId)).not.toContain('acteur.delete')
})

test('a claim that a merge has moved decides nothing of the acteur it is moved to', async () => {
  const { id, acteurId } = await register('Doublon du club')
  const target = await world.acteur({ nom: 'Club', valide: true, commune_id: commune.id })
  expect((await admin.post(`/admin/acteurs/${acteurId}/merge`, { into: target.id })).status).toBe(202)
  await runMerge({ id: acteurId })
  expect((await moderator.get(`/admin/claims/${id}`)).body.data).toMatchObject({ registers: false })
  await decide(id, 'rejected')
  expect(await acteurOf(target.id)).toMatchObject({ valide: true, deleted_at: null })
})

test('a name that the directory of the commune shows is refused; one that it does not show tells nothing', async () => {
  await world.acteur({ nom: 'Amicale laïque', valide: true, commune_id: commune.id })
  const before = await countActeurs()
  expect(await post('/registrations', bodyOf('  AMICALE Laique '))).toBeError(409, 'acteur_exists')
  expect(await countActeurs()).toBe(before)
  await register('Amicale cachée')
  await register('Amicale cachée')
  const elsewhere = await world.commune()
  const other = { acteur: { nom: 'Amicale laïque', type: 'association', commune_id: elsewhere.id }, message }
  expect((await post('/registrations', other)).status).toBe(201)
})

test.each([
  ['acteur.type', { type: 'mairie' }],
  ['acteur.nom', { nom: '' }],
  ['acteur.nom', { nom: '!!!' }],
  ['acteur.nom', { nom: 'x'.repeat(201) }],
  ['acteur.nom', { nom: 'a\0b' }],
  ['acteur.commune_id', { commune_id: uuidv7() }],
  ['acteur.commune_id', { commune_id: 'chambery' }],
  ['acteur.valide', { valide: true }],
])('returns 422 for a bad %s', async (field, bad) => {
  const before = await countActeurs()
  const { acteur, ...claim } = bodyOf('Mauvais')
  const answer = await post('/registrations', { acteur: { ...acteur, ...bad }, ...claim })
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details.map((detail: { field: string }) => detail.field)).toEqual([field])
  expect(await countActeurs()).toBe(before)
})

test('returns 422 for a bad address, and adds nothing', async () => {
  const before = await countActeurs()
  expect(await post('/registrations', bodyOf('Mauvais', { email: 'odile' }))).toBeError(
    422,
    'validation_failed',
  )
  expect(await countActeurs()).toBe(before)
})

test('returns 401 for an invalid token, and without one where claims need an account', async () => {
  expect(await post('/registrations', bodyOf('Club'), { token: 'nonsense' })).toBeError(
    401,
    'unauthenticated',
  )
  const strict = await openWorld({ env: { CLAIMS_REQUIRE_BEARER: 'true' } })
  expect(await strict.post('/registrations', bodyOf('Club'))).toBeError(401, 'unauthenticated')
})

test('a repeated request adds one acteur', async () => {
  const token = (await user()).token
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const before = await countActeurs()
  const send = () => client({ token }).post('/registrations', bodyOf('Une fois'), { headers })
  const answers = await Promise.all([send(), send()])
  const again = await send()
  expect(again.status).toBe(201)
  expect(answers.map(({ status }) => status)).toContain(201)
  expect(await countActeurs()).toBe(before + 1)
})
