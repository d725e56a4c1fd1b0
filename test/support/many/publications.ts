import { gatherStatistics } from '../plans.ts'
import { cloneFilled, type Roles } from './once.ts'
import { insertManyRows } from './rows.ts'

/** Rows of the tests that look at plans; most of their time is spent on inserting and counting them. */
export const manyRows = process.env.PARVIS_TEST_LONG ? 200_000 : 100_000

/**
 * A database with hundreds of thousands of publications, distributed as in a country: few large communes and acteurs,
 * many small ones, most public, some pending, rejected, scheduled, deleted, featured, pinned, duplicated. Vacuumed,
 * with statistics. Made once per run and cloned.
 */
export async function cloneManyPublications(count: number) {
  const database = await cloneFilled(`publications_${count}`, (roles) => fill(roles, count))
  return { database, ...many }
}

async function fill({ superuser, owner }: Roles, count: number): Promise<void> {
  await insertManyRows(superuser, ['publications', 'publication_communes'], async (client) => {
    await client.query(communes)
    await client.query(acteurs)
    await client.query(publications, [count])
    await client.query(links)
  })
  await insertManyRows(superuser, ['publication_listings', 'duplicate_groups'], (client) =>
    client.query('select rebuild_publication_lists()'),
  )
  await gatherStatistics({ owner }, [
    'publications',
    'publication_communes',
    'publication_listings',
    'duplicate_groups',
    'acteurs',
    'communes',
  ])
}

const id = (letter: 'a' | 'c', number: number) =>
  `${letter === 'a' ? 'aaaaaaaa' : 'cccccccc'}-0000-7000-8000-${number.toString(16).padStart(12, '0')}`
const many = {
  bigCommune: id('c', 0),
  smallCommune: id('c', 250),
  bigActeur: id('a', 0),
  smallActeur: id('a', 1500),
}
const idOf = (letter: 'a' | 'c', number: string) =>
  `('${id(letter, 0).slice(0, 24)}' || lpad(to_hex(${number}), 12, '0'))::uuid`

const communes = `
  insert into communes (id, slug, nom, code_insee, departement, region)
  select ${idOf('c', 'n')}, 'many-' || n, 'Many ' || n, lpad((95000 + n)::text, 5, '0'), '95', '11'
  from generate_series(0, 299) n`

// One in fifty is inactive.
const acteurs = `
  insert into acteurs (id, slug, nom, type, commune_id, valide, active, can_publish)
  select ${idOf('a', 'n')}, 'many-' || n, 'Many ' || n, 'association', ${idOf('c', 'n % 300')},
    true, n % 50 <> 49, n % 2 = 0
  from generate_series(0, 1999) n`

// The square of a uniform distribution favours low numbers. Coprime numbers mix the properties of a row.
const publications = `
  insert into publications (id, slug, title, body, acteur_id, commune_id, type_id, date_debut, source_url, epingle,
    moderation_status, valide, publie_le, en_avant, featured_until, deleted_at, duplicate_key, created_at, updated_at)
  select
    overlay(overlay(md5(n::text) placing lpad(to_hex(1700000000000 + n * 100000::bigint), 12, '0') from 1 for 12)
      placing '7' from 13 for 1)::uuid,
    'many-' || n,
    (array['Fête', 'Travaux', 'Concert', 'Marché', 'Réunion', 'Collecte'])[1 + n % 6] || ' '
      || (array['de la pomme', 'rue Haute', 'du village', 'à la salle', 'en forêt'])[1 + n % 5] || ' ' || n,
    'Rendez-vous ' || (array['samedi', 'dimanche', 'lundi'])[1 + n % 3] || case when n % 997 = 0 then ' châtaignes' else '' end
      || case when n % 8 = 0 then ' lot' || n else '' end,
    case when n % 40 <> 0 then ${idOf('a', 'floor(2000 * pow(spread, 2))::int')} end,
    ${idOf('c', 'floor(300 * pow(spread, 2))::int % 300')},
    ('01998000-0000-7000-8000-00000000000' || 1 + n % 7)::uuid,
    '2026-01-01'::date + n % 700,
    case when n % 3 = 0 then 'https://many.example/' || n / 33 end,
    n % 101 = 0,
    status, status in ('approved', 'published') and n % 61 <> 0,
    case when status = 'published' or n % 2 = 0 then
      now() - n % 1000000 * interval '40 seconds' + case when n % 103 = 0 then interval '2 years' else interval '0' end end,
    n % 4001 = 0, case when n % 8002 = 0 then now() - interval '1 day' end,
    case when n % 53 = 0 then now() end,
    case when n % 3 = 0 then 'u:' || md5((n / 33)::text) else 's:' || md5(n::text) end,
    now() - n * interval '30 seconds', now() - n * interval '20 seconds'
  from generate_series(1, $1::int) n
  cross join lateral (select ((n * 7919::bigint) % 100003) / 100003.0 as spread,
    case when n % 19 = 0 then 'pending' when n % 59 = 0 then 'rejected' when n % 11 = 0 then 'approved'
      else 'published' end as status) of_row`

// One in ten is shown in a second commune.
const links = `
  insert into publication_communes (publication_id, commune_id)
  select id, commune_id from publications
  union
  select id, ${idOf('c', "(('x' || right(id::text, 4))::bit(16)::int) % 300")} from publications
  where right(id::text, 1) = '0'`
