import { expect, test } from 'vitest'
import { cloneManyPublications } from '../../../test/support/many/publications.ts'
import { explain, watch } from '../../../test/support/plans.ts'
import { openWorld } from '../../../test/support/world.ts'
import { modules } from '../../app.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { personalOf } from '../../platform/module.ts'
import { insertPublication } from '../publications/publications.test-kit.ts'
import { findRows } from './finding.ts'

const world = await openWorld()
const { as, user, acteur, db, post } = world
const admin = await as('admin')
const find = (body: object, language = 'en') =>
  admin.post('/admin/people/find', body, { headers: { 'accept-language': language } })
const place = (places: { name: string }[], name: string) => places.find((one) => one.name === name)

test('finds a person by account: counts, the newest records, and what an erasure does', async () => {
  const email = 'odile@example.org'
  const { id } = await user({ email, nom: 'Odile Vauquelin' })
  const club = await acteur({ nom: 'Les Croqueurs de pommes', email: 'Odile@example.org' })
  const claim = { id: uuidv7(), acteur_id: club.id, user_id: id, message: 'À moi' }
  await db.insertInto('claims').values(claim).execute()
  for (let count = 0; count < 6; count++)
    await insertPublication(world, { created_by: id, title: `Fête ${count}` })
  const { status, body } = await find({ user_id: id })
  expect(status).toBe(200)
  const { user_ids, emails, places, unsure } = body.data
  expect([user_ids, emails, unsure]).toEqual([[id], [email], { users: [], records: [] }])
  expect(place(places, 'users')).toMatchObject({
    ...{ kind: 'user', total: 1, is_more: false },
    records: [{ id, label: 'Odile Vauquelin' }],
  })
  expect(place(places, 'claims')).toMatchObject({
    ...{ title: 'Claims', total: 1 },
    records: [{ label: 'Les Croqueurs de pommes' }],
  })
  expect(place(places, 'acteurs')).toMatchObject({ total: 1, records: [{ id: club.id }] })
  const { records, ...publications } = place(places, 'publications') as unknown as {
    records: { label: string }[]
  }
  expect(publications).toMatchObject({ kind: 'publication', total: 6 })
  expect(publications).toHaveProperty('erasure', expect.stringMatching(/^Stay/))
  expect(records.map(({ label }) => label)).toEqual([5, 4, 3, 2, 1].map((count) => `Fête ${count}`))
  expect(place(places, 'threads')).toBeUndefined()
  const { data } = (await find({ email: 'ODILE@example.org' }, 'fr')).body
  expect(place(data.places, 'users')).toMatchObject({ title: 'Comptes' })
  expect(data.user_ids).toEqual([id])
})

test('lists apart what bears the address by mere assertion; `also` includes a record', async () => {
  const email = 'zoe@example.org'
  const stranger = await user({ issuer: 'https://id.example/', email, nom: 'Zoé ?' })
  const other = await user()
  const threadId = uuidv7()
  await db
    .insertInto('support_threads')
    .values({ id: threadId, subject: 'Bac', said: '', email, user_id: other.id, last_message_at: new Date() })
    .execute()
  const anonymous = await post('/claims', {
    acteur_id: (await acteur({ nom: 'Club' })).id,
    message: 'Moi',
    email,
  })
  expect(anonymous.status).toBe(201)
  const { data } = (await find({ email })).body
  expect(data.user_ids).toEqual([])
  expect(data.places.map(({ name }: { name: string }) => name)).toEqual(['claims'])
  expect(data.unsure).toMatchObject({
    users: [{ id: stranger.id, label: 'Zoé ?' }],
    records: [{ name: 'threads', kind: 'thread', records: [{ id: threadId, label: 'Bac' }] }],
  })
  const more = (await find({ email, also: [threadId] })).body.data
  expect(place(more.places, 'threads')).toMatchObject({ total: 1, records: [{ id: threadId }] })
  expect(more.unsure.records).toEqual([])
})

test('finds nothing under an address that nobody has', async () => {
  expect((await find({ email: 'nobody@example.org' })).body.data).toEqual({
    ...{ user_ids: [], emails: ['nobody@example.org'], places: [] },
    unsure: { users: [], records: [] },
  })
})

test('returns 422 without exactly one of account and address, and for an unknown account', async () => {
  const { id, email } = await user()
  const wrong = [{}, { also: [id] }, { user_id: id, email }, { user_id: uuidv7() }, { email: 'odile' }]
  for (const body of [...wrong, { email, also: ['x'] }, { email, user: id }])
    expect(await find(body), JSON.stringify(body)).toBeError(422, 'validation_failed')
})

test('reads no large table as a whole', async () => {
  const { database } = await cloneManyPublications(20_000)
  const many = await openWorld({ database })
  const { id } = await many.user()
  await insertPublication(many, { created_by: id })
  const { db: watched, statements } = watch(many.pool)
  const all = personalOf(modules, world.config)
  const found = await findRows(watched, all, { userIds: [id], emails: ['zoe@example.org'] })
  expect(found.find(({ name }) => name === 'publications')).toMatchObject({ rows: 1 })
  const [statement] = statements
  if (statement === undefined) throw new Error('no statement was seen')
  const scanned = (await explain(many.pool, statement))
    .filter((step) => step['Node Type'] === 'Seq Scan')
    .map((step) => step['Relation Name'])
  expect(scanned).not.toContain('publications')
})
