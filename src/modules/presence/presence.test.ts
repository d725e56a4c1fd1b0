import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createClient } from '../../../test/support/client.ts'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { claimsKit } from '../claims/claims.test-kit.ts'
import { insertDefibrillateur } from '../defibrillateurs/defibrillateurs.test-kit.ts'
import { insertPublication } from '../publications/publications.test-kit.ts'
import { sweepHandler } from './module.ts'

const world = await openWorld()
const { as, db, user, client } = world
const { claim } = claimsKit(world)

const colleague = async (nom: string) => {
  const { id, token } = await user({ nom, roles: ['admin'] })
  return { id, nom, its: client({ source: 'backoffice', token }) }
}
const [zoe, lea] = [await colleague('Zoé'), await colleague('Léa')]
const shown = ({ id, nom }: { id: string; nom: string }) => ({ id, nom })
const publication = async () => ({ kind: 'publication', id: (await insertPublication(world)).id })
const age = (seconds: number) =>
  sql`update presence set seen_at = seen_at - make_interval(secs => ${seconds})`.execute(db)

test('PUT /admin/presence returns 200 with the other colleagues on the record', async () => {
  const record = await publication()
  const { status, body } = await zoe.its.put('/admin/presence', record)
  expect([status, body.data]).toEqual([200, { ...record, present: [] }])
  expect((await lea.its.put('/admin/presence', record)).body.data.present).toEqual([shown(zoe)])
  // A second tab of the same user changes nothing.
  await zoe.its.put('/admin/presence', record)
  expect((await lea.its.put('/admin/presence', record)).body.data.present).toEqual([shown(zoe)])
})

test('a single record shows its viewers for 30 s, on every instance', async () => {
  const { acteur, commune } = world
  const thread = await world.post('/support/messages', {
    email: 'a@example.org',
    subject: 'Bac',
    body: 'Oui',
  })
  const source = { id: uuidv7(), nom: 'Source', type: 'rss', url: 'https://feed.example/' }
  await db.insertInto('import_sources').values(source).execute()
  const records = [
    ['publication', (await publication()).id, '/admin/publications/'],
    ['acteur', (await acteur()).id, '/admin/acteurs/'],
    ['commune', (await commune()).id, '/admin/communes/', '/full'],
    ['user', (await user()).id, '/admin/users/'],
    ['claim', await claim(), '/admin/claims/'],
    ['thread', thread.body.data.id, '/admin/messages/threads/'],
    ['import_source', source.id, '/admin/import-sources/'],
    ['defibrillateur', (await insertDefibrillateur(db, {})).id, '/admin/defibrillateurs-france/'],
  ] as const
  const another = await openWorld({ database: world.database })
  const { token } = await user({ roles: ['admin'] })
  const elsewhere = createClient(another.url, another.check, { source: 'backoffice', token })
  for (const [kind, id, path, rest = ''] of records) {
    await zoe.its.put('/admin/presence', { kind, id })
    expect((await zoe.its.get(`${path}${id}${rest}`)).body.data.present, kind).toEqual([])
    for (const by of [lea.its, elsewhere])
      expect((await by.get(`${path}${id}${rest}`)).body.data.present, kind).toEqual([shown(zoe)])
  }
  await age(31)
  for (const [kind, id, path, rest = ''] of records)
    expect((await lea.its.get(`${path}${id}${rest}`)).body.data.present, kind).toEqual([])
})

test("expired rows are deleted, and PUT /admin/presence renews the caller's", async () => {
  const record = await publication()
  await zoe.its.put('/admin/presence', record)
  await age(31)
  await lea.its.put('/admin/presence', record)
  const signal = new AbortController().signal
  await sweepHandler({ db }).perform({}, { id: 'job', attempt: 1, signal })
  const rows = await db.selectFrom('presence').select('user_id').where('record_id', '=', record.id).execute()
  expect(rows).toEqual([{ user_id: lea.id }])
  await age(31)
  await lea.its.put('/admin/presence', record)
  expect((await zoe.its.put('/admin/presence', record)).body.data.present).toEqual([shown(lea)])
})

test('concurrent PUT /admin/presence from many tabs keeps one row per person and record', async () => {
  const record = await publication()
  await zoe.its.put('/admin/presence', record)
  await age(31)
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? zoe : lea).its.put('/admin/presence', record)),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200))
  const rows = await db.selectFrom('presence').select('user_id').where('record_id', '=', record.id).execute()
  expect(rows).toHaveLength(2)
})

test('PUT /admin/presence returns 403 without permission and 404 for an unknown record', async () => {
  const record = await publication()
  expect(await (await as('support')).put('/admin/presence', record)).toBeError(403, 'admin_required')
  expect(await (await as()).put('/admin/presence', record)).toBeError(403, 'admin_required')
  expect(await zoe.its.put('/admin/presence', { ...record, id: uuidv7() })).toBeError(404, 'not_found')
})

test('PUT /admin/presence returns 422 for an invalid kind or id', async () => {
  const record = await publication()
  for (const wrong of [{ kind: 'alerte' }, { id: 'x' }])
    expect(await zoe.its.put('/admin/presence', { ...record, ...wrong })).toBeError(422, 'validation_failed')
})
