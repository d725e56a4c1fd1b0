import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cloneDatabase, openWorld, run } from '../../../../test/support/world.ts'
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

test('the slug of a publication is formed alike whether another has its title or not', async () => {
  await insertPublication(world, { slug: 'loto', title: 'Loto', deleted_at: new Date() })
  for (const title of ['Loto', 'Loto', 'Bal']) {
    const { id, slug } = (await asOwner.post('/publications', { ...content, title })).body.data
    expect(slug).toBe(`${title.toLowerCase()}-${endOf(id)}`)
  }
})

test('the database chooses a free slug for an instance of the version before', async () => {
  const [first, second] = [1, 2].map((number) => item(`0199c9a3-5b8e-7cc1-9d2e-00000000000${number}`, 'bal'))
  if (first === undefined || second === undefined) throw new Error('two rows')
  await insertPublications(db, [first])
  await insertPublications(db, [second])
  const slugs = await db.selectFrom('publications').select('slug').where('id', '=', second.id).execute()
  expect(slugs).toEqual([{ slug: `bal-${endOf(second.id)}` }])
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
