import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { untilWaiting } from '../../../../test/support/locks.ts'
import { cloneDatabase, openWorld, run } from '../../../../test/support/world.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { insertPublications } from '../importing/queries.ts'
import { insertPublication, openAssociation } from '../publications.test-kit.ts'

const world = await openWorld()
const { db } = world
const { asOwner, content, acteur } = await openAssociation(world)
const endOf = (id: string) => id.slice(-12)
const item = (id: string, slug: string) => ({
  ...{ id, slug, title: 'Titre', body: 'Texte', duplicate_key: `s:${'0'.repeat(32)}` },
  ...{ acteur_id: acteur.id, commune_ids: [] },
})

test('a title that is taken gives a slug that ends like the id', async () => {
  const create = async () => (await asOwner.post('/publications', { ...content, title: 'Loto' })).body.data
  const [one, other] = [await create(), await create()]
  expect([one.slug, other.slug]).toEqual(['loto', `loto-${endOf(other.id)}`])
})

test('two publications with one title created at once both succeed', async () => {
  const { answer, first } = await inTransaction(db, async (tx) => {
    const first = await insertPublication({ db: tx }, { slug: 'vide-grenier' })
    const answer = asOwner.post('/publications', { ...content, title: 'Vide-grenier' })
    await untilWaiting(db)
    return { answer: { later: answer }, first }
  })
  const { status, body } = await answer.later
  expect(first.slug).toBe('vide-grenier')
  expect([status, body.data.slug]).toEqual([201, `vide-grenier-${endOf(body.data.id)}`])
})

test('imported items with one title get different slugs, also while another import takes it', async () => {
  const ids = [1, 2, 3].map((number) => `0199c9a3-5b8e-7cc1-9d2e-00000000000${number}`)
  const rows = ids.map((id) => item(id, 'bal'))
  const inserting = await inTransaction(db, async (tx) => {
    await insertPublication({ db: tx }, { slug: 'bal' })
    const later = inTransaction(db, (other) => insertPublications(other, rows))
    await untilWaiting(db)
    return { later }
  })
  const inserted = await inserting.later
  expect(inserted.map(({ id }) => id).sort()).toEqual(ids)
  const slugs = await db.selectFrom('publications').select('slug').where('slug', 'like', 'bal%').execute()
  expect(slugs.map(({ slug }) => slug).sort()).toEqual(['bal', ...ids.map((id) => `bal-${endOf(id)}`)])
})

test('the migration keeps the slug of the newest visible namesake, repeatably', async () => {
  const { owner, service } = await cloneDatabase()
  const ids = Array.from(
    { length: 2_500 },
    (_, at) => `0199c9a3-5b8e-7cc1-9d2e-${String(at).padStart(12, '0')}`,
  )
  await run(
    owner,
    `drop index publications_slug_key;
     alter table publications disable trigger publications_free_slug;
     insert into publications (id, slug, title, body, duplicate_key, moderation_status, valide, publie_le)
     select id, 'conseil', 'Conseil', 'x', 's:' || md5('x'), 'published', place not in (7, 2500), '2026-01-01'::timestamptz - place * interval '1 day'
     from unnest('{${ids}}'::uuid[]) with ordinality as t (id, place) where place <> 1;
     insert into publications (id, slug, title, body, duplicate_key) values ('${ids[0]}', 'seule', 'Seule', 'x', 's:' || md5('y'));
     alter table publications enable trigger publications_free_slug;`,
  )
  const migration = 'src/platform/database/migrations/0411-publications-unique-slugs.sql'
  for (const _time of ['once', 'again'])
    for (const statement of readFileSync(migration, 'utf8').split('\n\n').slice(1))
      await run(owner, statement)
  const { rows } = await run(service, `select id, slug from publications order by id`)
  expect(rows).toEqual(
    ids.map((id, at) => ({
      id,
      slug: at === 0 ? 'seule' : at === 1 ? 'conseil' : `conseil-${endOf(id)}`,
    })),
  )
})
