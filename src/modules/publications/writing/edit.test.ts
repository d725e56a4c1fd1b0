import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import {
  auditedValues,
  hiddenStates,
  insertPublication,
  openAssociation,
  restrictedSource,
} from '../publications.test-kit.ts'

const world = await openWorld()
const { db } = world
const { commune, acteur, owner, asOwner, asEditor } = await openAssociation(world)
const trusted = await openAssociation(world, { can_publish: true })
const admin = await world.as('admin')
const unknown = '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'
const rounds = process.env.PARVIS_TEST_LONG ? 20 : 2

const publication = (values: Parameters<typeof insertPublication>[1] = {}) =>
  insertPublication(world, { acteur_id: acteur.id, commune_id: commune.id, ...values })
const stored = (id: string) =>
  db.selectFrom('publications').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const auditEntries = (id: string) => auditedValues(world, id)

test('PATCH /publications/{id} accepts hours within their days, and removes them with the day', async () => {
  const { id } = await publication()
  const hours = { date_debut: '2026-10-03', heure_debut: '20:30', heure_fin: '22:30' }
  expect((await asOwner.patch(`/publications/${id}`, hours)).body.data).toMatchObject(hours)
  const shown = (await asOwner.get(`/me/publications/${id}`)).body.data
  expect(shown).toMatchObject(hours)
  const night = { date_fin: '2026-10-04', heure_fin: '02:00' }
  expect((await asOwner.patch(`/publications/${id}`, night)).body.data).toMatchObject(night)
  // Sent by an application that does not support hours.
  const oneDay = await asOwner.patch(`/publications/${id}`, { date_fin: null })
  expect(oneDay.body.data).toMatchObject({ heure_debut: '20:30', heure_fin: null })
  const dayless = await asOwner.patch(`/publications/${id}`, { date_debut: null })
  expect(dayless.body.data).toMatchObject({ date_debut: null, heure_debut: null, heure_fin: null })
  const rows = await auditEntries(id)
  expect(rows[0]).toMatchObject({ before: { heure_debut: null }, after: { heure_debut: '20:30' } })
})

test.each([
  ['heure_debut', { heure_debut: '20:30' }],
  ['heure_fin', { date_debut: '2026-10-03', heure_fin: '22:30' }],
  ['heure_fin', { date_debut: '2026-10-03', heure_debut: '20:30', heure_fin: '20:30' }],
  [
    'heure_fin',
    { date_debut: '2026-10-03', date_fin: '2026-10-03', heure_debut: '20:30', heure_fin: '02:00' },
  ],
  ['heure_debut', { date_debut: '2026-10-03', heure_debut: '24:00' }],
  ['heure_debut', { date_debut: '2026-10-03', heure_debut: '9:00' }],
])('PATCH /publications/{id} returns 422 for hours that do not fit: %s %j', async (field, change) => {
  const { id } = await publication()
  const answer = await asOwner.patch(`/publications/${id}`, change)
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details).toMatchObject([{ field }])
})

test('PATCH /publications/{id} returns 200 with the updated publication', async () => {
  const { id } = await publication({ acteur_id: trusted.acteur.id, commune_id: trusted.commune.id })
  const change = {
    titre: 'Fête du cidre',
    body: '<p>Un <script>x</script>verre</p>',
    type_id: '01998000-0000-7000-8000-000000000002',
    date_debut: '2026-10-03',
    date_fin: '2026-10-03',
    source_url: 'https://croqueurs.example/cidre',
    image_url: 'https://croqueurs.example/cidre.jpg',
    epingle: true,
  }
  const answer = await trusted.asOwner.patch(`/publications/${id}`, change)
  expect(answer.status).toBe(200)
  const expected = {
    ...change,
    title: 'Fête du cidre',
    body: '<p>Un verre</p>',
    status: 'published',
    valide: true,
    version: 2,
  }
  expect(answer.body.data).toMatchObject(expected)
  expect(answer.headers.get('etag')).toBe('"2"')
  const [row, ...more] = await auditEntries(id)
  expect(more).toEqual([])
  expect(row).toMatchObject({
    action: 'publication.update',
    user_id: trusted.owner.id,
    before: { epingle: false },
    after: { epingle: true, title: 'Fête du cidre', date_debut: '2026-10-03' },
  })
  expect(JSON.stringify(row)).not.toContain('verre')
  const nothing = { type_id: null, date_debut: null, date_fin: null, source_url: null, image_url: null }
  expect((await trusted.asOwner.patch(`/publications/${id}`, nothing)).body.data).toMatchObject(nothing)
})

test('PATCH /publications/{id} returns 200 and writes nothing when nothing changes', async () => {
  const { id } = await publication({ epingle: true })
  const before = await stored(id)
  const same = {
    title: ` ${before.title} `,
    body: before.body,
    commune_id: commune.id,
    commune_ids: [commune.id],
    type_id: null,
    epingle: true,
  }
  for (const body of [{}, same]) {
    const answer = await asOwner.patch(`/publications/${id}`, body)
    expect(answer.status).toBe(200)
    expect(answer.body.data.version).toBe(1)
  }
  expect(await stored(id)).toEqual(before)
  expect(await auditEntries(id)).toEqual([])
})

test.each<[string, object]>([
  ['acteur_id', { acteur_id: unknown }],
  ['title', { title: '' }],
  ['title', { title: null }],
  ['titre', { title: 'a', titre: 'b' }],
  ['body', { body: '<img src=x>' }],
  ['body', { body: '<p>'.repeat(33_333) }],
  ['type_id', { type_id: unknown }],
  ['date_fin', { date_fin: '2026-10-02' }],
  ['date_fin', { date_debut: '2026-10-05', date_fin: '2026-10-04' }],
  ['commune_id', { commune_id: unknown }],
  ['commune_ids.0', { commune_ids: [unknown] }],
  ['source_url', { source_url: 'data:text/html,x' }],
  ['image_url', { image_url: '//exemple.fr/x' }],
  ['epingle', { epingle: 'oui' }],
  ['valide', { valide: true }],
  ['version', { version: 1 }],
])('PATCH /publications/{id} answers 422: %s %#', async (field, body) => {
  const before = await publication({ date_debut: '2026-10-03' })
  const answer = await asOwner.patch(`/publications/${before.id}`, body)
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details.map((one: { field: string }) => one.field)).toContain(field)
  expect(await stored(before.id)).toEqual(before)
})

test.each([
  ['fr', { date_fin: '2026-10-02' }, 'date_fin', 'ne doit pas précéder le premier jour'],
  ['en', { date_fin: '2026-10-02' }, 'date_fin', 'must not be before the first day'],
  ['fr', { heure_fin: '20:00' }, 'heure_fin', 'demande une heure de début'],
  ['fr', { date_debut: null, heure_debut: '20:00' }, 'heure_debut', 'demande un premier jour'],
  ['fr', { title: '' }, 'title', 'ne doit pas être vide'],
])('PATCH /publications/{id} explains a wrong value without names of fields: %s %j', async (...row) => {
  const [language, body, field, message] = row
  const { id } = await publication({ date_debut: '2026-10-03' })
  const options = { headers: { 'accept-language': language } }
  const answer = await asOwner.patch(`/publications/${id}`, body, options)
  expect(answer.body.details).toContainEqual({ field, message })
})

const states = [
  { moderation_status: 'published', valide: true },
  { moderation_status: 'published', valide: false },
  { moderation_status: 'approved', valide: true },
  { moderation_status: 'rejected', valide: false },
  { moderation_status: 'pending', valide: false },
]
const times = [sql<Date>`'2026-01-01'`, sql<Date>`'2126-01-01'`]

test.each(states)(
  'an edit returns content to pending when its acteur may not publish: $moderation_status $valide',
  async (state) => {
    for (const publie_le of times) {
      const theirs = await publication({
        ...state,
        publie_le,
        moderation_reason: 'Hors sujet',
        decided_centrally: true,
      })
      const isRead = !['pending', 'rejected'].includes(state.moderation_status)
      const edited = (await asEditor.patch(`/publications/${theirs.id}`, { title: 'Autre' })).body.data
      expect(edited).toMatchObject({
        moderation_status: 'pending',
        valide: false,
        // A reason belongs to its status; that of a rejection stays until the publication is accepted.
        moderation_reason: isRead ? null : 'Hors sujet',
        resubmitted: state.moderation_status === 'rejected',
      })
      const after = await stored(theirs.id)
      const [row] = await auditEntries(theirs.id)
      expect(Object.keys(row?.before ?? {}).includes('moderation_reason')).toBe(isRead)
      // A publication time never moves, and a central decision stays marked.
      expect([after.publie_le, after.decided_centrally]).toEqual([theirs.publie_le, true])

      for (const [client, values] of [
        [admin, {}],
        [trusted.asEditor, { acteur_id: trusted.acteur.id, commune_id: trusted.commune.id }],
      ] as const) {
        const kept = await publication({ ...state, publie_le, ...values })
        const now = (await client.patch(`/publications/${kept.id}`, { title: 'Autre' })).body.data
        // A rejected publication is reviewed again, whichever member corrects it.
        const isCorrected = state.moderation_status === 'rejected' && client !== admin
        const expected = isCorrected ? { moderation_status: 'pending', valide: false } : state
        expect(now).toMatchObject({ ...expected, title: 'Autre' })
      }
    }
  },
)

test('a change of content or communes returns it to pending, pinning does not', async () => {
  const { id } = await publication()
  expect((await asOwner.patch(`/publications/${id}`, { epingle: true })).body.data).toMatchObject({
    valide: true,
    epingle: true,
  })
  const away = await publication({ commune_id: null })
  const moved = (await asOwner.patch(`/publications/${away.id}`, { commune_id: commune.id })).body.data
  expect(moved).toMatchObject({ moderation_status: 'pending', commune_ids: [commune.id], version: 2 })
})

test('an edit by an inactive or no longer validated acteur returns to pending', async () => {
  for (const state of [{ active: false }, { valide: false }]) {
    const fallen = await world.acteur({ commune_id: commune.id, valide: true, can_publish: true, ...state })
    const { token } = await world.user({ memberships: [{ acteur: fallen, role: 'owner' }] })
    const { id } = await publication({ acteur_id: fallen.id })
    const answer = await world.patch(`/publications/${id}`, { title: 'Autre' }, { token })
    expect(answer.body.data).toMatchObject({ moderation_status: 'pending', valide: false })
  }
})

test('only administrators can act for a deleted acteur until it is restored', async () => {
  const gone = await world.acteur({ commune_id: commune.id, valide: true, can_publish: true })
  const { token } = await world.user({ memberships: [{ acteur: gone, role: 'owner' }] })
  const { id } = await publication({ acteur_id: gone.id })
  const path = `/publications/${id}`
  const set = (deleted_at: Date | null) =>
    db.updateTable('acteurs').set({ deleted_at }).where('id', '=', gone.id).execute()
  await set(new Date())
  expect(await world.patch(path, { title: 'Autre' }, { token })).toBeError(404, 'not_found')
  expect(await world.patch(path, { epingle: true }, { token })).toBeError(404, 'not_found')
  expect(await world.delete(path, { token })).toBeError(404, 'not_found')
  const decision = { moderation_status: 'rejected' }
  expect(await world.patch(`${path}/moderate`, decision, { token })).toBeError(404, 'not_found')
  expect((await admin.patch(path, { title: 'Autre' })).status).toBe(200)
  await set(null)
  expect((await world.patch(path, { title: 'Encore' }, { token })).status).toBe(200)
})

test('changed communes are checked as on creation; unchanged ones are not', async () => {
  const other = await world.commune()
  const { id } = await publication({ acteur_id: trusted.acteur.id, commune_id: trusted.commune.id })
  const path = `/publications/${id}`
  for (const body of [{ commune_id: other.id }, { commune_ids: [trusted.commune.id, other.id] }]) {
    expect(await trusted.asOwner.patch(path, body)).toBeError(403, 'scope_violation')
  }
  const both = [trusted.commune.id, other.id].sort()
  const wider = (await admin.patch(path, { commune_ids: both })).body.data
  expect(wider).toMatchObject({ commune_id: trusted.commune.id, commune_ids: both, version: 2 })
  // A commune given by an administrator stays when the form sends it again.
  const same = await trusted.asOwner.patch(path, {
    title: 'Autre',
    commune_id: trusted.commune.id,
    commune_ids: both,
  })
  expect(same.body.data).toMatchObject({ title: 'Autre', commune_ids: both })
  expect((await admin.patch(path, { commune_id: other.id })).body.data).toMatchObject({
    commune_id: other.id,
    commune_ids: both,
  })
  // The first commune stays if the request omits it.
  expect((await admin.patch(path, { title: 'Encore', commune_ids: both })).body.data).toMatchObject({
    commune_id: other.id,
    commune_ids: both,
  })
  expect(await admin.patch(path, { commune_ids: [] })).toBeError(422, 'validation_failed')
  // A change of communes alone counts as well.
  expect((await admin.patch(path, { commune_ids: [other.id] })).body.data).toMatchObject({
    commune_id: other.id,
    commune_ids: [other.id],
    version: 6,
  })
  expect((await trusted.asOwner.patch(path, { commune_id: null })).body.data).toMatchObject({
    commune_id: trusted.commune.id,
    commune_ids: [trusted.commune.id],
  })
})

test('PATCH /publications/{id} returns 403 without the permission for the changed fields', async () => {
  const { id } = await publication()
  const path = `/publications/${id}`
  const withRights = async (...permissions: ('manage_publications' | 'publish_publications')[]) =>
    world.client({ token: (await world.user({ memberships: [{ acteur, permissions }] })).token })
  const [none, manages, pins, both] = [
    await withRights(),
    await withRights('manage_publications'),
    await withRights('publish_publications'),
    await withRights('manage_publications', 'publish_publications'),
  ]
  const [content, pin, mixed] = [{ title: 'Autre' }, { epingle: true }, { title: 'Encore', epingle: false }]
  for (const body of [content, pin, mixed]) expect(await none.patch(path, body)).toBeError(403, 'forbidden')
  for (const body of [pin, mixed]) expect(await manages.patch(path, body)).toBeError(403, 'forbidden')
  for (const body of [content, mixed]) expect(await pins.patch(path, body)).toBeError(403, 'forbidden')
  expect((await stored(id)).version).toBe(1)
  expect((await manages.patch(path, content)).status).toBe(200)
  expect((await pins.patch(path, pin)).status).toBe(200)
  expect((await both.patch(path, mixed)).status).toBe(200)
  for (const client of [asOwner, admin, await world.as('platform_admin')]) {
    expect((await client.patch(path, { title: 'Libre', epingle: true })).status).toBe(200)
  }
})

const strangers = [
  world.client({ token: (await world.user()).token }),
  world.client({ token: (await world.user({ roles: ['moderator'] })).token }),
  trusted.asOwner,
]

test('PATCH /publications/{id} returns 403 for a visible foreign one', async () => {
  const { id } = await publication()
  const orphan = await publication({ acteur_id: null })
  for (const client of strangers) {
    for (const one of [id, orphan.id]) {
      expect(await client.patch(`/publications/${one}`, { title: 'Autre' })).toBeError(403, 'scope_violation')
      expect(await client.patch(`/publications/${one}`, {})).toBeError(403, 'scope_violation')
      expect(await client.delete(`/publications/${one}`)).toBeError(403, 'scope_violation')
    }
  }
  expect((await admin.patch(`/publications/${orphan.id}`, { title: 'Autre' })).status).toBe(200)
})

test.each(Object.entries(hiddenStates))('a hidden foreign one is a 404: %s', async (_name, state) => {
  const { id } = await publication(state)
  for (const client of strangers) {
    const none = await client.patch(`/publications/${unknown}`, { title: 'Autre' })
    const hidden = await client.patch(`/publications/${id}`, { title: 'Autre' })
    expect(hidden).toBeError(404, 'not_found')
    expect(hidden.text).toBe(none.text)
    expect((await client.delete(`/publications/${id}`)).text).toBe(none.text)
  }
})

test('PATCH /publications/{id} returns 404', async () => {
  const gone = await publication(hiddenStates.deleted)
  for (const id of [unknown, 'nonsense', gone.id]) {
    expect(await asOwner.patch(`/publications/${id}`, { title: 'Autre' })).toBeError(404, 'not_found')
    expect(await admin.patch(`/publications/${id}`, { title: 'Autre' })).toBeError(404, 'not_found')
  }
})

test('PATCH /publications/{id} returns 412 for an outdated version', async () => {
  const { id } = await publication()
  const path = `/publications/${id}`
  const seen = { headers: { 'if-match': '"1"' } }
  expect((await asOwner.patch(path, { title: 'Un' }, seen)).status).toBe(200)
  expect(await asOwner.patch(path, { title: 'Deux' }, seen)).toBeError(412, 'precondition_failed')
  expect(await asOwner.delete(path, seen)).toBeError(412, 'precondition_failed')
  expect((await stored(id)).title).toBe('Un')
  // The response reveals nothing to strangers.
  expect(await strangers[0]?.patch(path, { title: 'Trois' }, { headers: { 'if-match': '"9"' } })).toBeError(
    404,
    'not_found',
  )
})

test('an application restricted to other communes cannot change a publication', async () => {
  const source = await restrictedSource(world, [(await world.commune()).id])
  const inside = await restrictedSource(world, [commune.id])
  const { id } = await publication()
  expect(await asOwner.patch(`/publications/${id}`, { title: 'Autre' }, { source })).toBeError(
    403,
    'scope_violation',
  )
  expect(await asOwner.delete(`/publications/${id}`, { source })).toBeError(403, 'scope_violation')
  expect((await asOwner.patch(`/publications/${id}`, { title: 'Autre' }, { source: inside })).status).toBe(
    200,
  )
})

test('DELETE /publications/{id} returns 200 with the record and keeps the row', async () => {
  const { id } = await publication()
  const answer = await asEditor.delete(`/publications/${id}`, { headers: { 'if-match': '"1"' } })
  expect(answer.status).toBe(200)
  expect(answer.body.data).toMatchObject({ id, moderation_status: 'published', valide: true, version: 2 })
  expect(answer.body.data.deleted_at).not.toBeNull()
  expect(await world.get(`/publications/${id}`)).toBeError(404, 'not_found')
  const deleted_at = (await stored(id)).deleted_at?.toISOString()
  expect(deleted_at).toBe(answer.body.data.deleted_at)
  expect(await auditEntries(id)).toMatchObject([
    { action: 'publication.delete', before: { deleted_at: null }, after: { deleted_at } },
  ])
})

test('DELETE /publications/{id} returns 404', async () => {
  const { id } = await publication()
  expect((await asOwner.delete(`/publications/${id}`)).status).toBe(200)
  for (const one of [id, unknown, 'nonsense']) {
    expect(await asOwner.delete(`/publications/${one}`)).toBeError(404, 'not_found')
  }
})

test('DELETE /publications/{id} returns 403 without manage_publications', async () => {
  const { id } = await publication()
  const { token } = await world.user({ memberships: [{ acteur, permissions: ['publish_publications'] }] })
  expect(await world.delete(`/publications/${id}`, { token })).toBeError(403, 'forbidden')
})

test('concurrent edits are all stored; of those with a version one wins', async () => {
  for (let round = 0; round < rounds; round++) {
    const { id } = await publication()
    const path = `/publications/${id}`
    const changes = [
      { title: 'Un' },
      { body: 'Deux' },
      { epingle: true },
      { date_debut: '2026-10-03' },
      { image_url: 'https://e.fr/x' },
    ]
    const answers = await Promise.all(changes.map((change) => asOwner.patch(path, change)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    // Each response shows its own edit, not a later one.
    for (const [index, { body, headers }] of answers.entries()) {
      expect(body.data).toMatchObject(changes[index] ?? {})
      expect(headers.get('etag')).toBe(`"${body.data.version}"`)
    }
    expect(answers.map(({ body }) => body.data.version).sort()).toEqual([2, 3, 4, 5, 6])
    expect(await stored(id)).toMatchObject({ ...Object.assign({}, ...changes), version: 6 })
    expect(await auditEntries(id)).toHaveLength(5)
    const seen = { headers: { 'if-match': '"6"' } }
    const contested = await Promise.all(
      [1, 2, 3, 4].map((n) => asOwner.patch(path, { title: `Titre ${n}` }, seen)),
    )
    expect(contested.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412])
    expect((await stored(id)).title).toBe(contested.find(({ status }) => status === 200)?.body.data.title)
  }
})

test('a concurrent deletion and edit are both applied in some order; a deleted one is not edited', async () => {
  for (let round = 0; round < rounds; round++) {
    const { id } = await publication()
    const [edited, deleted, again] = await Promise.all([
      asOwner.patch(`/publications/${id}`, { title: 'Autre' }),
      asOwner.delete(`/publications/${id}`),
      asEditor.delete(`/publications/${id}`),
    ])
    expect([deleted.status, again.status].sort()).toEqual([200, 404])
    if (edited.status === 200) expect(edited.body.data).toMatchObject({ version: 2, deleted_at: null })
    const after = await stored(id)
    expect(after.deleted_at).not.toBeNull()
    expect(after.title === 'Autre').toBe(edited.status === 200)
  }
  expect(owner.id).toBeTruthy()
})

test('an edit updates the duplicate key', async () => {
  const [one, two] = [await publication(), await publication()]
  for (const { id } of [one, two])
    await asOwner.patch(`/publications/${id}`, { source_url: 'https://exemple.fr/a' })
  expect((await stored(one.id)).duplicate_key).toBe((await stored(two.id)).duplicate_key)
  const members = await db
    .selectFrom('duplicate_groups')
    .select('members')
    .where('duplicate_key', '=', (await stored(one.id)).duplicate_key)
    .executeTakeFirst()
  expect(members).toEqual({ members: 2 })
})

test('content is validated before the record is locked', async () => {
  const { id } = await publication()
  await db.transaction().execute(async (tx) => {
    await sql`select from publications where id = ${id} for update`.execute(tx)
    const answer = await asOwner.patch(`/publications/${id}`, { body: '<img src=x>' })
    expect(answer).toBeError(422, 'validation_failed')
  })
})

test('PATCH and DELETE /publications/{id} return 429 above their shared limit', async () => {
  const strict = await openWorld({ env: { RATE_LIMIT_EDIT: '2/hour' } })
  const theirs = await openAssociation(strict)
  const { body } = await theirs.asOwner.post('/publications', theirs.content)
  const path = `/publications/${body.data.id}`
  expect((await theirs.asOwner.patch(path, { title: 'Fête du cidre' })).status).toBe(200)
  expect((await theirs.asOwner.delete(path)).status).toBe(200)
  expect(await theirs.asOwner.delete(path)).toBeError(429, 'rate_limited')
  expect(await theirs.asOwner.patch(path, { title: 'Fête' })).toBeError(429, 'rate_limited')
  expect(await theirs.asEditor.patch(path, { title: 'Fête' })).toBeError(404, 'not_found')
})

test('PATCH and DELETE /publications/{id} of an administrator are not counted', async () => {
  const strict = await openWorld({ env: { RATE_LIMIT_EDIT: '1/hour' } })
  const theirs = await openAssociation(strict)
  const { body } = await theirs.asOwner.post('/publications', theirs.content)
  const path = `/publications/${body.data.id}`
  for (const role of ['admin', 'platform_admin'] as const) {
    const admin = await strict.as(role)
    expect((await admin.patch(path, { title: `Fête vue par ${role}` })).status).toBe(200)
    expect((await admin.patch(path, { title: 'Fête du cidre' })).status).toBe(200)
  }
  const admin = await strict.as('admin')
  expect((await admin.delete(path)).status).toBe(200)
  expect(await admin.delete(path)).toBeError(404, 'not_found')
  // A moderator is not an administrator and is counted.
  const moderator = await strict.as('moderator')
  expect(await moderator.delete(path)).toBeError(404, 'not_found')
  expect(await moderator.delete(path)).toBeError(429, 'rate_limited')
})
