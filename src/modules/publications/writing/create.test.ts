import { expect, test } from 'vitest'
import { openWorld, run } from '../../../../test/support/world.ts'
import { auditedValues, openAssociation, restrictedSource } from '../publications.test-kit.ts'
import { slugOf } from './rules.ts'

const world = await openWorld()
const { db } = world
const { commune, acteur, content, owner, editor, asOwner, asEditor } = await openAssociation(world)
const admin = await world.as('admin')
const unknown = '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'
const count = async () =>
  Number((await db.selectFrom('publications').select(db.fn.countAll().as('n')).executeTakeFirst())?.n)
const fieldsOf = ({ body }: { body: { details: { field: string }[] } }) =>
  body.details.map(({ field }) => field)
const auditEntries = (id: string) => auditedValues(world, id)

test('POST /publications returns 201, pending, for an acteur that may not publish', async () => {
  const answer = await asEditor.post('/publications', content, { source: null })
  expect(answer.status).toBe(201)
  const { data } = answer.body
  expect(data).toMatchObject({
    ...content,
    titre: content.title,
    slug: `fete-de-la-pomme-${data.id.slice(-12)}`,
    status: 'pending',
    moderation_status: 'pending',
    valide: false,
    publie_le: null,
    commune_id: commune.id,
    commune_ids: [commune.id],
    type_id: null,
    epingle: false,
    en_avant: false,
    version: 1,
  })
  expect(data).not.toHaveProperty('reports_open')
  expect(answer.headers.get('etag')).toBe('"1"')
  expect(await world.get(`/publications/${data.id}`)).toBeError(404, 'not_found')
  const [row, ...more] = await auditEntries(data.id)
  expect(more).toEqual([])
  expect(row).toMatchObject({
    action: 'publication.create',
    user_id: editor.id,
    app_source: 'public',
    before: null,
  })
  expect(row?.after).toMatchObject({
    title: content.title,
    moderation_status: 'pending',
    acteur_id: acteur.id,
  })
  expect(JSON.stringify(row?.after)).not.toContain('Pressage')
})

test('POST /publications returns 201 with its hours, which the public reads', async () => {
  const free = await openAssociation(world, { can_publish: true })
  const hours = { date_debut: '2026-10-03', heure_debut: '20:00', heure_fin: '00:00' }
  const made = await free.asOwner.post('/publications', { ...free.content, ...hours })
  expect(made.status).toBe(201)
  expect((await world.get(`/publications/${made.body.data.id}`)).body.data).toMatchObject(hours)
  const list = await world.get(`/publications?acteur_id=${free.acteur.id}`)
  expect(list.body.data).toMatchObject([hours])
  expect((await admin.get(`/admin/publications/${made.body.data.id}`)).body.data).toMatchObject(hours)
})

test('POST /publications returns 201, published directly, for an acteur that may publish', async () => {
  const free = await openAssociation(world, { can_publish: true })
  const { data } = (await free.asOwner.post('/publications', free.content)).body
  expect(data).toMatchObject({ status: 'published', valide: true })
  expect(Math.abs(Date.parse(data.publie_le) - Date.now())).toBeLessThan(60_000)
  expect((await world.get(`/publications/${data.id}`)).body.data.title).toBe(content.title)
  // An administrator publishes for the acteur, with the acteur's permission.
  expect((await admin.post('/publications', free.content)).body.data.status).toBe('published')
  expect((await admin.post('/publications', content)).body.data.status).toBe('pending')
})

test('POST /publications returns 201, pending, with `for_review`; a time with it is 422', async () => {
  const free = await openAssociation(world, { can_publish: true })
  const body = { ...free.content, for_review: true }
  for (const caller of [free.asOwner, admin]) {
    const made = await caller.post('/publications', body)
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({ status: 'pending', valide: false })
    const publie_le = new Date(Date.now() + 86_400_000).toISOString()
    expect(await caller.post('/publications', { ...body, publie_le })).toBeError(422, 'validation_failed')
  }
})

test('POST /publications returns 201, approved and scheduled, with a future time', async () => {
  const free = await openAssociation(world, { can_publish: true })
  const publie_le = new Date(Date.now() + 86_400_000).toISOString()
  for (const [caller, body] of [
    [free.asOwner, free.content],
    [free.asEditor, free.content],
    [admin, content],
  ] as const) {
    const { status, body: made } = await caller.post('/publications', { ...body, publie_le })
    expect(status).toBe(201)
    expect(made.data).toMatchObject({
      status: 'approved',
      valide: true,
      publie_le,
      hidden_because: ['not_yet'],
    })
    expect(await world.get(`/publications/${made.data.id}`)).toBeError(404, 'not_found')
    const [row] = await auditEntries(made.data.id)
    expect(row?.after).toMatchObject({ moderation_status: 'approved', publie_le })
  }
  const unset = await free.asOwner.post('/publications', { ...free.content, publie_le: null })
  expect(unset.body.data.status).toBe('published')
})

test('POST /publications returns 422 for a past time, or a time without can_publish', async () => {
  const free = await openAssociation(world, { can_publish: true })
  const soon = new Date(Date.now() + 86_400_000).toISOString()
  for (const [caller, body, publie_le] of [
    [free.asOwner, free.content, '2020-01-01T00:00:00Z'],
    [free.asOwner, free.content, 'demain'],
    [free.asEditor, free.content, new Date(Date.now() - 60_000).toISOString()],
    [admin, content, '2020-01-01T00:00:00Z'],
    [asOwner, content, soon],
    [asEditor, content, soon],
  ] as const) {
    const before = await count()
    const answer = await caller.post('/publications', { ...body, publie_le })
    expect(answer).toBeError(422, 'validation_failed')
    expect(fieldsOf(answer)).toEqual(['publie_le'])
    expect(await count()).toBe(before)
  }
})

test('POST /publications accepts all fields, and titre for title', async () => {
  const all = {
    type_id: '01998000-0000-7000-8000-000000000002',
    date_debut: '2026-10-03',
    date_fin: '2026-10-04',
    source_url: 'https://croqueurs.example/fete?a=1',
    image_url: 'http://croqueurs.example/pomme.jpg',
  }
  const { title, ...rest } = content
  const body = {
    ...rest,
    titre: `  ${title} `,
    ...all,
    commune_id: commune.id.toUpperCase(),
    commune_ids: [commune.id, commune.id],
  }
  const answer = await asOwner.post('/publications', body)
  expect(answer.status).toBe(201)
  expect(answer.body.data).toMatchObject({
    ...all,
    title,
    titre: title,
    commune_id: commune.id,
    commune_ids: [commune.id],
  })
  const same = await asOwner.post('/publications', { ...content, titre: title })
  expect(same.status).toBe(201)
  const nothing = Object.fromEntries(Object.keys(all).map((field) => [field, null]))
  expect(
    (await asOwner.post('/publications', { ...content, ...nothing, commune_id: null })).body.data,
  ).toMatchObject({
    ...nothing,
    commune_id: commune.id,
  })
})

test.each<[string, object, string?]>([
  ['title', { title: undefined }],
  ['titre', { titre: 'Autre' }],
  ['title', { title: '' }],
  ['title', { title: ' \u200b ' }],
  ['title', { title: 'a'.repeat(201) }],
  ['title', { title: 'e\u0301\u0302\u0303'.repeat(100) }],
  ['title', { title: 'a\u0000b' }],
  ['title', { title: 12 }],
  ['body', { body: undefined }],
  ['body', { body: '' }],
  ['body', { body: '<script>alert(1)</script>' }],
  ['body', { body: '<p> </p>' }],
  ['body', { body: 'a'.repeat(20_001) }],
  ['body', { body: '&'.repeat(20_001) }],
  ['body', { body: '<'.repeat(20_000) }],
  ['body', { body: `a${'<p>'.repeat(33_333)}` }],
  ['body', { body: `a${'<br>'.repeat(2_001)}` }],
  ['body', { body: `${'<b>'.repeat(51)}a` }],
  ['body', { body: `<script>${'a'.repeat(100_000)}</script>x` }],
  ['body', { body: 'x\ud800' }],
  ['body', { body: `a${'\u0301'.repeat(300_000)}` }],
  ['acteur_id', { acteur_id: undefined }],
  ['acteur_id', { acteur_id: unknown }],
  ['acteur_id', { acteur_id: 'x' }],
  ['commune_id', { commune_id: unknown }],
  ['commune_ids.1', { commune_ids: [commune.id, unknown] }],
  ['commune_ids', { commune_ids: [] }],
  ['commune_ids', { commune_ids: Array.from({ length: 51 }, () => commune.id) }],
  ['type_id', { type_id: unknown }],
  ['date_debut', { date_debut: '2026-02-30' }],
  ['date_debut', { date_debut: '0000-01-01' }],
  ['date_fin', { date_debut: '2026-10-04', date_fin: '2026-10-03' }],
  ['source_url', { source_url: 'javascript:alert(1)' }],
  ['image_url', { image_url: 'ftp://exemple.fr/x' }],
  ['image_url', { image_url: 'https://exemple.fr/Affiche.PDF?v=2' }],
  ['image_url', { image_url: 'https://exemple.fr/"><script>' }],
  ['source_url', { source_url: 'https://user:pass@exemple.fr' }],
  ['source_url', { source_url: `https://exemple.fr/${'a'.repeat(2_000)}` }],
  ['epingle', { epingle: true }],
  ['valide', { valide: true }],
  ['moderation_status', { moderation_status: 'published' }],
])('POST /publications answers 422: %s %#', async (field, change) => {
  const before = await count()
  const answer = await asOwner.post('/publications', { ...content, ...change })
  expect(answer).toBeError(422, 'validation_failed')
  expect(fieldsOf(answer)).toContain(field)
  expect(await count()).toBe(before)
})

test('POST /publications reports all faults in one response', async () => {
  const answer = await asOwner.post('/publications', { ...content, title: ' ', body: '<br>', image_url: 'x' })
  expect(fieldsOf(answer)).toEqual(['title', 'body', 'image_url'])
})

test('POST /publications returns 413 for a huge body, 400 and 415 for one that is not JSON', async () => {
  expect(await asOwner.post('/publications', { ...content, body: 'a'.repeat(1_100_000) })).toBeError(
    413,
    'payload_too_large',
  )
  expect(await asOwner.post('/publications', '{"title":')).toBeError(400, 'malformed_request')
  const headers = { 'content-type': 'text/html' }
  expect(await asOwner.post('/publications', 'x', { headers })).toBeError(415, 'unsupported_media_type')
})

test('stored content is clean and within the limits', async () => {
  const body = '<p onclick="x()">Un <a href="javascript:x">lien</a><script>alert(1)</script> & < 3</p>'
  const made = await asOwner.post('/publications', { ...content, title: '🍎'.repeat(200), body })
  expect(made.status).toBe(201)
  expect(made.body.data).toMatchObject({
    title: '🍎'.repeat(200),
    body: '<p>Un lien &amp; &lt; 3</p>',
    slug: `publication-${made.body.data.id.slice(-12)}`,
  })
  const long = await asOwner.post('/publications', {
    ...content,
    title: 'é'.repeat(200),
    body: 'mot '.repeat(5_000),
  })
  expect(long.status).toBe(201)
  const strange = await asOwner.post('/publications', {
    ...content,
    title: 'a\u202eb <b>\u0007',
    body: 'x\ufeff',
  })
  expect(strange.body.data).toMatchObject({ title: 'ab <b>', body: 'x' })
})

test.each([
  ['signs that are escaped', 'y & '.repeat(5_000)],
  ['links that are marked', '<a href="https://a.example/">x</a> '.repeat(550)],
  ['breaks', 'Saint-Ré<br>'.repeat(1_600)],
])("the length of a body is that of the author's text, also when sent back: %s", async (_kind, body) => {
  const made = await asOwner.post('/publications', { ...content, body })
  expect(made.status).toBe(201)
  const kept = made.body.data.body
  expect(kept.length).toBeGreaterThan(20_000)
  const again = await asOwner.patch(`/publications/${made.body.data.id}`, { body: kept })
  expect(again.status).toBe(200)
  expect(again.body.data.body).toBe(kept)
})

test('POST /publications returns 403 scope_violation to strangers and forbidden to a member without the permission', async () => {
  const stranger = await world.user()
  const moderator = await world.user({ roles: ['moderator', 'support'] })
  const elsewhere = await openAssociation(world)
  for (const { token } of [stranger, moderator, elsewhere.owner]) {
    expect(await world.post('/publications', content, { token })).toBeError(403, 'scope_violation')
  }
  for (const permissions of [[], ['publish_publications']] as const) {
    const { token } = await world.user({ memberships: [{ acteur, permissions: [...permissions] }] })
    expect(await world.post('/publications', content, { token })).toBeError(403, 'forbidden')
  }
  for (const role of ['admin', 'platform_admin'] as const) {
    expect((await (await world.as(role)).post('/publications', content)).status).toBe(201)
  }
})

test('POST /publications returns 403 for an inactive or unvalidated acteur and 422 for a deleted one', async () => {
  for (const [state, status, code] of [
    [{ active: false }, 403, 'scope_violation'],
    [{ valide: false }, 403, 'scope_violation'],
    [{ deleted_at: new Date() }, 422, 'validation_failed'],
  ] as const) {
    const closed = await world.acteur({ commune_id: commune.id, valide: true, ...state })
    const { token } = await world.user({ memberships: [{ acteur: closed, role: 'owner' }] })
    const body = { ...content, acteur_id: closed.id }
    expect(await world.post('/publications', body, { token })).toBeError(status, code)
    expect(await admin.post('/publications', body)).toBeError(status, code)
  }
})

test("POST /publications returns 403 for a commune that is not the acteur's; administrators may choose", async () => {
  const other = await world.commune()
  for (const change of [
    { commune_id: other.id },
    { commune_ids: [commune.id, other.id] },
    { commune_ids: [other.id] },
  ]) {
    expect(await asOwner.post('/publications', { ...content, ...change })).toBeError(403, 'scope_violation')
  }
  const both = await admin.post('/publications', { ...content, commune_ids: [other.id, commune.id] })
  expect(both.body.data).toMatchObject({ commune_id: commune.id, commune_ids: [commune.id, other.id].sort() })
  const away = await admin.post('/publications', { ...content, commune_ids: [other.id] })
  expect(away.body.data).toMatchObject({ commune_id: other.id, commune_ids: [other.id] })
  const named = await admin.post('/publications', {
    ...content,
    commune_id: other.id,
    commune_ids: [commune.id],
  })
  expect(named.body.data).toMatchObject({ commune_id: other.id, commune_ids: [commune.id, other.id].sort() })
})

test('a mairie publishes in the communes that name it; an acteur without a commune in none', async () => {
  const mairie = await world.acteur({ type: 'mairie', valide: true })
  const [one, two, third] = [
    await world.commune({ mairie_actor_id: mairie.id }),
    await world.commune({ mairie_actor_id: mairie.id }),
    await world.commune(),
  ]
  const { token } = await world.user({ memberships: [{ acteur: mairie, role: 'owner' }] })
  const body = { ...content, acteur_id: mairie.id }
  const made = await world.post('/publications', { ...body, commune_ids: [two.id, one.id] }, { token })
  expect(made.body.data).toMatchObject({ commune_id: one.id, commune_ids: [one.id, two.id].sort() })
  expect((await world.post('/publications', body, { token })).body.data.commune_id).toBe(
    [one.id, two.id].sort()[0],
  )
  expect(await world.post('/publications', { ...body, commune_id: third.id }, { token })).toBeError(
    403,
    'scope_violation',
  )
  const nomad = await world.acteur({ valide: true })
  const nomads = await world.user({ memberships: [{ acteur: nomad, role: 'owner' }] })
  const call = { token: nomads.token }
  const free = await world.post('/publications', { ...content, acteur_id: nomad.id }, call)
  expect(free.body.data).toMatchObject({ commune_id: null, commune_ids: [] })
  const somewhere = { ...content, acteur_id: nomad.id, commune_id: commune.id }
  expect(await world.post('/publications', somewhere, call)).toBeError(403, 'scope_violation')
})

test('POST /publications returns 403 from an application restricted to other communes, to everybody', async () => {
  const other = await world.commune()
  const inside = await restrictedSource(world, [commune.id])
  const outside = await restrictedSource(world, [other.id])
  expect((await asOwner.post('/publications', content, { source: inside })).status).toBe(201)
  expect(await asOwner.post('/publications', content, { source: outside })).toBeError(403, 'scope_violation')
  expect(await admin.post('/publications', content, { source: outside })).toBeError(403, 'scope_violation')
  const both = { ...content, commune_ids: [commune.id, other.id] }
  expect(await admin.post('/publications', both, { source: inside })).toBeError(403, 'scope_violation')
})

test('POST /publications returns 429 above its limit', async () => {
  const strict = await openWorld({ env: { RATE_LIMIT_CREATE: '2/hour' } })
  const made = await openAssociation(strict)
  for (let time = 0; time < 2; time++)
    expect((await made.asOwner.post('/publications', made.content)).status).toBe(201)
  expect(await made.asOwner.post('/publications', made.content)).toBeError(429, 'rate_limited')
  expect((await made.asEditor.post('/publications', made.content)).status).toBe(201)
})

test('with a concurrent deactivation of the acteur it is published before or refused', async () => {
  for (let round = 0; round < (process.env.PARVIS_TEST_LONG ? 20 : 2); round++) {
    const free = await openAssociation(world, { can_publish: true })
    const deactivate = `update acteurs set active = false where id = '${free.acteur.id}'`
    const [answers] = await Promise.all([
      Promise.all(Array.from({ length: 8 }, () => free.asOwner.post('/publications', free.content))),
      run(world.database.owner, deactivate),
    ])
    for (const answer of answers) expect([201, 403]).toContain(answer.status)
    const { n } = await db
      .selectFrom('publications')
      .select(db.fn.countAll<number>().as('n'))
      .where('acteur_id', '=', free.acteur.id)
      .executeTakeFirstOrThrow()
    expect(n).toBe(answers.filter(({ status }) => status === 201).length)
    expect((await world.get(`/publications?acteur_id=${free.acteur.id}`)).body.meta.total).toBe(0)
  }
})

test('a duplicate has the same key as its original', async () => {
  const keys = []
  for (const body of ['Un texte', '<p>UN texte !</p>', 'Un autre']) {
    const { data } = (await asOwner.post('/publications', { ...content, body })).body
    keys.push(
      await db
        .selectFrom('publications')
        .select('duplicate_key')
        .where('id', '=', data.id)
        .executeTakeFirst(),
    )
  }
  expect(keys[0]).toEqual(keys[1])
  expect(keys[2]).not.toEqual(keys[1])
})

test.each([
  ['x'.repeat(101), 'x'.repeat(100)],
  [`${'x'.repeat(99)} y`, 'x'.repeat(99)],
  [`${'x'.repeat(98)} y`, `${'x'.repeat(98)}-y`],
])('a slug has at most a hundred letters of the title, and ends like the id: %s', (title, slug) => {
  expect(slugOf(title, '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e')).toBe(`${slug}-4f6a7b8c9d0e`)
})

test('a change of permissions takes effect with the next request', async () => {
  const { token, id } = await world.user({ memberships: [{ acteur, role: 'owner' }] })
  expect((await world.post('/publications', content, { token })).status).toBe(201)
  await db.deleteFrom('actor_users').where('user_id', '=', id).execute()
  expect(await world.post('/publications', content, { token })).toBeError(403, 'scope_violation')
  expect(owner.id).not.toBe(id)
})
