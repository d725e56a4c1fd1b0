import { expect, test } from 'vitest'
import { type Mairie, openMairie } from '../../../../test/support/mairies.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { hiddenStates, insertPublication, restrictedSource } from '../publications.test-kit.ts'

const world = await openWorld()
const { client, user, db } = world
const here = await openMairie(world)
const there = await openMairie(world)
const quiet = await openMairie(world, { can_publish: false })
const moderator = await world.as('moderator')
const admin = client({ source: 'mairie', token: (await user({ roles: ['admin'] })).token })

const pending = (acteur_id: string | null, commune_ids: string[], values = {}) =>
  insertPublication(world, {
    acteur_id,
    commune_id: commune_ids[0] ?? null,
    commune_ids,
    ...hiddenStates.pending,
    publie_le: null,
    ...values,
  })
const decide = (mairie: Mairie, id: string, moderation_status: string, caller = mairie.owner) =>
  caller.patch(`${mairie.path}/${id}/moderate`, { moderation_status })

test('PATCH /mairie/acteurs/{acteurId}/publications/{publicationId}/moderate returns 200 with the new state', async () => {
  const { id } = await pending(here.club.id, [here.commune.id])
  const path = `${here.path}/${id}/moderate`
  const refused = await here.publisher.patch(path, {
    moderation_status: 'rejected',
    reason: 'Date manquante',
  })
  expect(refused.body.data).toMatchObject({
    status: 'rejected',
    valide: false,
    publie_le: null,
    moderation_reason: 'Date manquante',
  })
  const published = await here.publisher.patch(path, { moderation_status: 'published' })
  expect(published.status).toBe(200)
  expect(published.body.data).toMatchObject({ status: 'published', valide: true, moderation_reason: null })
  expect((await world.get(`/publications/${id}`)).status).toBe(200)
  const publie_le = new Date(Date.now() + 86_400_000).toISOString()
  const scheduled = await here.publisher.patch(
    `${here.path}/${(await pending(here.hall.id, [here.commune.id])).id}/moderate`,
    {
      moderation_status: 'approved',
      publie_le,
    },
  )
  expect(scheduled.body.data).toMatchObject({ status: 'approved', publie_le })
  const auditEntries = await db
    .selectFrom('audit_log')
    .select(['action', 'app_source'])
    .where('entity_id', '=', id)
    .execute()
  expect(auditEntries).toEqual(Array(2).fill({ action: 'publication.moderate', app_source: 'mairie' }))
})

test('PATCH /mairie/acteurs/{acteurId}/publications/{publicationId}/moderate returns 422 for an invalid decision', async () => {
  const { id } = await pending(here.club.id, [here.commune.id])
  const past = { moderation_status: 'approved', publie_le: '2020-01-01T00:00:00Z' }
  for (const body of [{}, { moderation_status: 'draft' }, past, { moderation_status: 'rejected', why: 'x' }])
    expect(await here.owner.patch(`${here.path}/${id}/moderate`, body)).toBeError(422, 'validation_failed')
})

test('returns 404 for unknown, malformed or deleted ids, and hidden publications of others', async () => {
  const deleted = await pending(here.club.id, [here.commune.id], { deleted_at: new Date() })
  const hidden = await pending(there.club.id, [there.commune.id])
  for (const id of [uuidv7(), '12', deleted.id, hidden.id])
    expect(await decide(here, id, 'rejected')).toBeError(404, 'not_found')
})

test.each<[string, () => Promise<{ id: string }>, number]>([
  ['of its commune and another', () => shown(here.club.id, [here.commune.id, there.commune.id]), 403],
  ['of another commune', () => shown(there.club.id, [there.commune.id]), 403],
  ['of another mairie, in its commune', () => shown(there.hall.id, [here.commune.id]), 403],
  ['of no acteur', () => shown(null, [here.commune.id]), 403],
  ['of no commune', () => shown(here.club.id, []), 403],
  ['of a foreign acteur, in its commune alone', () => shown(there.club.id, [here.commune.id]), 200],
  ['its own, in another commune', () => shown(here.hall.id, [there.commune.id]), 200],
])('supervision is bounded: a visible publication %s', async (_name, make, status) => {
  const { id } = await make()
  const answer = await decide(here, id, 'rejected')
  if (status === 200) expect(answer.status).toBe(200)
  else expect(answer).toBeError(403, 'scope_violation')
})

const shown = (acteur_id: string | null, commune_ids: string[]) =>
  insertPublication(world, { acteur_id, commune_id: commune_ids[0] ?? null, commune_ids })

test('the supervision list shows exactly what may be decided', async () => {
  const made = [
    await shown(here.club.id, [here.commune.id]),
    await shown(here.club.id, [here.commune.id, there.commune.id]),
    await shown(there.hall.id, [here.commune.id]),
    await shown(null, [here.commune.id]),
    await shown(there.club.id, [here.commune.id]),
  ]
  const { body } = await here.owner.get(`${here.path}?supervision=only&per_page=100`)
  const listed = new Set(body.data.map(({ id }: { id: string }) => id))
  for (const { id } of made)
    expect((await decide(here, id, 'pending')).status).toBe(listed.has(id) ? 200 : 403)
})

test('each row of the list says whether the caller may decide', async () => {
  const town = await openMairie(world)
  const central = { decided_centrally: true }
  const made = [
    await pending(town.club.id, [town.commune.id]),
    await pending(town.hall.id, [there.commune.id]),
    await pending(town.club.id, [town.commune.id], central),
    await pending(town.hall.id, [town.commune.id], central),
  ]
  const set = (active: boolean) =>
    db.updateTable('acteurs').set({ active }).where('id', '=', town.hall.id).execute()
  const callers = [town.owner, town.publisher, town.writer, town.editor, town.moderatingMember, admin]
  for (const active of [true, false]) {
    await set(active)
    for (const caller of callers) {
      const { body } = await caller.get(`${town.path}?supervision=true`)
      const rows: { id: string; may_moderate: boolean }[] = body.data
      expect(rows.map(({ id }) => id).sort()).toEqual(made.map(({ id }) => id).sort())
      for (const { id, may_moderate } of rows)
        expect((await decide(town, id, 'rejected', caller)).status === 200).toBe(may_moderate)
      const may = active && [town.owner, town.publisher, admin].includes(caller)
      expect(rows.filter(({ may_moderate }) => may_moderate)).toHaveLength(may ? 2 : 0)
    }
  }
})

test('a mairie that may not publish can reject and postpone, but not make anything visible', async () => {
  for (const acteurId of [quiet.club.id, quiet.hall.id]) {
    const { id } = await pending(acteurId, [quiet.commune.id])
    for (const status of ['approved', 'published'])
      expect(await decide(quiet, id, status)).toBeError(403, 'scope_violation')
    for (const status of ['rejected', 'pending']) expect((await decide(quiet, id, status)).status).toBe(200)
  }
  const written = await quiet.owner.post(quiet.path, { title: 'Avis', body: 'À relire' })
  expect(written.body.data).toMatchObject({ status: 'pending', valide: false, publie_le: null })
})

test("a mairie cannot change a central decision, even after the author's edits", async () => {
  const { id } = await pending(here.club.id, [here.commune.id])
  const refused = await moderator.patch(`/admin/publications/${id}/moderate`, {
    moderation_status: 'rejected',
  })
  expect(refused.status).toBe(200)
  expect(await decide(here, id, 'published')).toBeError(403, 'scope_violation')
  const edited = await here.clubOwner.patch(`/publications/${id}`, { title: 'Revu et corrigé' })
  expect(edited.body.data.status).toBe('pending')
  for (const status of ['published', 'approved', 'rejected', 'pending'])
    expect(await decide(here, id, status)).toBeError(403, 'scope_violation')
  const own = await shown(here.hall.id, [here.commune.id])
  await moderator.patch(`/admin/publications/${own.id}/valide`, { valide: false })
  expect(await decide(here, own.id, 'published')).toBeError(403, 'scope_violation')
  // The decision counts as the mairie's, whoever sends the request.
  for (const caller of [here.moderatingMember, admin])
    expect(await decide(here, id, 'published', caller)).toBeError(403, 'scope_violation')
})

test('an administrator has only the scope and permissions of the mairie in the path', async () => {
  const reach = [
    await pending(here.hall.id, [here.commune.id]),
    await pending(here.club.id, [here.commune.id]),
  ]
  for (const { id } of reach) {
    expect((await decide(here, id, 'published', admin)).status).toBe(200)
    // Not a central decision: the mairie's own members may reverse it.
    expect((await decide(here, id, 'rejected')).status).toBe(200)
  }
  const beyond = [
    await pending(there.club.id, [there.commune.id]),
    await pending(null, [here.commune.id]),
    await shown(there.hall.id, [there.commune.id]),
    await shown(here.club.id, [here.commune.id, there.commune.id]),
  ]
  for (const { id } of beyond)
    expect(await decide(here, id, 'rejected', admin)).toBeError(403, 'scope_violation')
  const modest = await pending(quiet.club.id, [quiet.commune.id])
  expect(await decide(quiet, modest.id, 'published', admin)).toBeError(403, 'scope_violation')
  expect((await decide(quiet, modest.id, 'rejected', admin)).status).toBe(200)
})

test('a mairie cannot decide on content of a deleted acteur', async () => {
  const club = await world.acteur({ commune_id: here.commune.id, valide: true })
  const { id } = await pending(club.id, [here.commune.id])
  await db.updateTable('acteurs').set({ deleted_at: new Date() }).where('id', '=', club.id).execute()
  expect(await decide(here, id, 'rejected')).toBeError(404, 'not_found')
  expect(await decide(here, id, 'rejected', admin)).toBeError(403, 'scope_violation')
  const { body } = await here.owner.get(`${here.path}?supervision=only&per_page=100`)
  expect(body.data.map((row: { id: string }) => row.id)).not.toContain(id)
  const path = `/admin/publications/${id}/moderate`
  expect((await moderator.patch(path, { moderation_status: 'rejected' })).status).toBe(200)
})

test('one mairie cannot decide for another, even for a member of both', async () => {
  const { token } = await user({
    memberships: [
      { acteur: here.hall, role: 'owner' },
      { acteur: there.hall, role: 'owner' },
    ],
  })
  const both = client({ source: 'mairie', token })
  const { id } = await shown(there.club.id, [there.commune.id])
  expect(await decide(here, id, 'rejected', both)).toBeError(403, 'scope_violation')
  expect((await decide(there, id, 'rejected', both)).status).toBe(200)
})

test('an application restricted to communes decides nothing elsewhere', async () => {
  const { token } = await user({ memberships: [{ acteur: here.hall, role: 'owner' }] })
  const inside = client({ source: await restrictedSource(world, [here.commune.id]), token })
  const outside = client({ source: await restrictedSource(world, [there.commune.id]), token })
  const { id } = await shown(here.club.id, [here.commune.id])
  expect(await decide(here, id, 'rejected', outside)).toBeError(403, 'scope_violation')
  expect((await decide(here, id, 'rejected', inside)).status).toBe(200)
})

test('of two decisions on one version the second gets 412', async () => {
  const { id } = await pending(here.club.id, [here.commune.id])
  const headers = { 'if-match': '"1"' }
  const decisions = ['rejected', 'published'].map((moderation_status) =>
    here.owner.patch(`${here.path}/${id}/moderate`, { moderation_status }, { headers }),
  )
  const answers = await Promise.all(decisions)
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
})
