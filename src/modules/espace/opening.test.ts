import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { until } from '../../platform/jobs/jobs.test-kit.ts'
import { readMessage } from '../../platform/mail/mail-servers.test-kit.ts'

const { acteur, commune, user, as, client, db, get, outbox, runJobs } = await openWorld()
const admin = await as('admin')

const newAddress = () => `secretary-${uuidv7()}@example.org`
const open = (id: string, body: Record<string, unknown> = {}, options = {}) =>
  admin.post(`/admin/communes/${id}/mairie`, { email: newAddress(), ...body }, options)
const mairieOf = async (id: string) =>
  (await admin.get(`/admin/communes/${id}/full`)).body.data.mairie_actor_id as string | null
const countActeurs = async (communeId: string) =>
  (await db.selectFrom('acteurs').select('id').where('commune_id', '=', communeId).execute()).length
const invited = async (acteurId: string) =>
  (await db.selectFrom('team_invitations').select('email').where('acteur_id', '=', acteurId).execute()).map(
    ({ email }) => email,
  )

test('POST /admin/communes/{id}/mairie creates a validated acteur that the commune names, with an invited owner', async () => {
  const { id } = await commune({ nom: 'Le Havre' })
  const email = newAddress()
  const { status, body, headers } = await open(id, { email })
  expect(status).toBe(201)
  const { acteur_id, invitation, ...rest } = body.data
  expect(headers.get('location')).toBe(`/api/v1/admin/acteurs/${acteur_id}`)
  expect(rest).toEqual({ nom: 'Mairie du Havre', slug: expect.any(String), is_new: true })
  expect(invitation).toMatchObject({ email, role: 'owner', status: 'invited', nom: null })
  expect(await mairieOf(id)).toBe(acteur_id)
  expect((await admin.get(`/admin/acteurs/${acteur_id}`)).body.data).toMatchObject({
    ...{ type: 'mairie', valide: true, active: true, commune_id: id },
  })
  expect((await get(`/communes/${id}`)).body.data.mairie_actor_id).toBe(acteur_id)
  const entries = await db
    .selectFrom('audit_log')
    .select('action')
    .where('entity_id', 'in', [id, acteur_id])
    .orderBy('seq')
    .execute()
  expect(entries.map(({ action }) => action)).toEqual([
    ...['acteur.create', 'acteur.validate', 'acteur.member_add', 'commune.update'],
  ])
})

test('POST /admin/communes/{id}/mairie chooses the present mairie, or the only one in the commune', async () => {
  const lonely = await commune()
  const hall = await acteur({ type: 'mairie', commune_id: lonely.id, valide: false })
  await acteur({ type: 'association', commune_id: lonely.id })
  expect((await open(lonely.id)).body.data).toMatchObject({ acteur_id: hall.id, is_new: false })
  expect((await admin.get(`/admin/acteurs/${hall.id}`)).body.data.valide).toBe(true)
  // A second owner, who needs no other deed.
  await acteur({ type: 'mairie', commune_id: lonely.id })
  expect((await open(lonely.id)).body.data).toMatchObject({ acteur_id: hall.id, is_new: false })
  expect(await invited(hall.id)).toHaveLength(2)
})

test('POST /admin/communes/{id}/mairie takes the acteur that it is given, also in place of another', async () => {
  const { id } = await commune()
  const [first, second] = [
    await acteur({ type: 'mairie', commune_id: id }),
    await acteur({ type: 'mairie', commune_id: id }),
  ]
  const refused = await open(id)
  expect(refused).toBeError(422, 'validation_failed')
  expect(JSON.stringify(refused.body)).toContain('acteur_id')
  for (const { id: acteur_id } of [first, second]) {
    expect((await open(id, { acteur_id })).body.data).toMatchObject({ acteur_id, is_new: false })
    expect(await mairieOf(id)).toBe(acteur_id)
  }
})

test('POST /admin/communes/{id}/mairie refuses other acteurs, and then changes nothing', async () => {
  const { id } = await commune()
  const club = await acteur({ type: 'association', commune_id: id })
  const deleted = await acteur({ type: 'mairie', deleted_at: new Date() })
  for (const acteur_id of [club.id, deleted.id, uuidv7()])
    expect(await open(id, { acteur_id })).toBeError(422, 'validation_failed')
  expect(await open(id, { email: 'nobody' })).toBeError(422, 'validation_failed')
  const inactive = await acteur({ type: 'mairie', active: false, valide: false })
  expect(await open(id, { acteur_id: inactive.id })).toBeError(409, 'conflict')
  expect(await open(uuidv7())).toBeError(404, 'not_found')
  expect(await mairieOf(id)).toBeNull()
  expect(await countActeurs(id)).toBe(1)
  expect((await admin.get(`/admin/acteurs/${inactive.id}`)).body.data.valide).toBe(false)
})

test('POST /admin/communes/{id}/mairie keeps nothing when the address is already a member', async () => {
  const { id } = await commune()
  const hall = await acteur({ type: 'mairie', commune_id: id, valide: false })
  const { email } = await user({ email_verified: true, memberships: [{ acteur: hall, role: 'owner' }] })
  expect(await open(id, { email })).toBeError(409, 'conflict')
  expect([await mairieOf(id), await invited(hall.id)]).toEqual([null, []])
  expect((await admin.get(`/admin/acteurs/${hall.id}`)).body.data.valide).toBe(false)
})

test('POST /admin/communes/{id}/mairie creates one acteur, of two at the same time and of a retry', async () => {
  const { id } = await commune()
  const answers = await Promise.all([open(id), open(id)])
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
  expect(new Set(answers.map(({ body }) => body.data.acteur_id)).size).toBe(1)
  expect(await countActeurs(id)).toBe(1)
  const other = await commune()
  const options = { headers: { 'idempotency-key': uuidv7() } }
  const email = newAddress()
  const first = await open(other.id, { email }, options)
  expect((await open(other.id, { email }, options)).body).toEqual(first.body)
  expect(await invited(first.body.data.acteur_id)).toEqual([email])
})

test('POST /admin/communes/{id}/mairie needs the area of communes, the version seen and a fresh confirmation', async () => {
  const { id } = await commune()
  const moderator = await as('moderator')
  const path = `/admin/communes/${id}/mairie`
  expect(await moderator.post(path, { email: newAddress() })).toBeError(403, 'admin_required')
  expect(await open(id, {}, { headers: { 'if-match': '"77"' } })).toBeError(412, 'precondition_failed')
  const member = await user({ memberships: [{ acteur: await acteur({ type: 'mairie' }), role: 'owner' }] })
  const asMember = client({ source: 'backoffice', token: member.token })
  expect((await asMember.post(path, { email: newAddress() })).status).toBe(403)
})

test('the mail of an opened mairie names it, who invites and what Parvis is', async () => {
  const { id } = await commune({ nom: 'Ajaccio' })
  const inviting = await user({ roles: ['admin'], nom: 'Zoé Lambert' })
  const by = client({ source: 'backoffice', token: inviting.token })
  const { body } = await by.post(`/admin/communes/${id}/mairie`, { email: newAddress() })
  const ours = async () =>
    (await readdir(outbox)).find((file) => file.includes(`${body.data.invitation.user_id}`))
  await runJobs()
  await until('the mail is in the outbox', async () => (await ours()) !== undefined)
  const { headers, text } = readMessage(await readFile(join(outbox, `${await ours()}`), 'utf8'))
  expect(headers.get('Subject')).toBe("Rejoignez l’équipe de « Mairie d'Ajaccio »")
  expect(text.replaceAll(/\s+/g, ' ')).toContain(
    "Zoé Lambert vous invite à devenir propriétaire de « Mairie d'Ajaccio »",
  )
  expect(text.replaceAll(/\s+/g, ' ')).toContain('Parvis est le site où les habitants trouvent les horaires')
})
