import pg from 'pg'
import type { BenchDatabase } from './connections.ts'
import type { Landmarks } from './data.ts'

/** A member of 500 acteurs, and the author of 50 000 publications. */
export const member = { id: '99999999-0000-7000-8000-000000000001', email: 'member@example.org' }

/** Records with far more rows than the others of their kind. */
export type Extremes = Landmarks & {
  source: string
  run: string
  reported: string
  duplicateKey: string
  group: string
}

const [source, run] = ['99999999-0000-7000-8000-000000000002', '99999999-0000-7000-8000-000000000003']
const duplicateKey = `s:${'0'.repeat(32)}`

/**
 * Gives a few records as many rows as the worst installation might: a commune with 100 000 publications, an acteur with 50 000 of one
 * author and one source, 10 000 suspected duplicates of each other, 5 000 reports on one. Written through the
 * triggers.
 */
export async function makeExtremes({ superuser }: BenchDatabase, landmarks: Landmarks): Promise<Extremes> {
  const client = new pg.Client(superuser)
  await client.connect()
  const inBatches = async (most: number, statement: string, values: unknown[]) => {
    for (let done = 0; done < most; ) {
      const { rowCount } = await client.query(statement, values)
      if (!rowCount) return
      done += rowCount
    }
  }
  try {
    await client.query('set synchronous_commit = off')
    const { bigActeur, bigCommune } = landmarks
    await client.query(memberOf500, [member.id, member.email])
    await client.query(imports, [source, run])
    await inBatches(50_000, ofActeur, [bigActeur, member.id])
    await inBatches(10_000, duplicates, [duplicateKey, bigActeur])
    await inBatches(100_000, inCommune, [bigCommune])
    await client.query(importItems, [source, run, bigActeur])
    const [{ id: reported }] = (await client.query(reports)).rows
    const [{ id: group }] = (await client.query(largestGroup)).rows
    await client.query('vacuum (analyze)')
    return { ...landmarks, source, run, reported, duplicateKey, group }
  } finally {
    await client.end()
  }
}

const memberOf500 = `
  with made as (insert into users (id, issuer, subject, email) values ($1, 'parvis', $2, $2) returning id)
  insert into actor_users (acteur_id, user_id, role)
  select a.id, made.id, 'owner' from made, (select id from acteurs where deleted_at is null order by id limit 500) a`

const imports = `
  with source as (
    insert into import_sources (id, nom, type, url) values ($1, 'Agenda', 'rss', 'https://exemple.fr') returning id)
  insert into import_runs (id, source_id, dry_run, status, finished_at) select $2, id, false, 'succeeded', now() from source`

const ofActeur = `
  update publications set acteur_id = $1, created_by = $2 where id in (
    select id from publications where created_by is null limit 1000)`

const duplicates = `
  update publications set duplicate_key = $1 where id in (
    select id from publications where acteur_id = $2 and duplicate_key <> $1 limit 1000)`

const inCommune = `
  insert into publication_communes (publication_id, commune_id)
  select id, $1 from publications p
  where not exists (select from publication_communes where publication_id = p.id and commune_id = $1) limit 1000`

const importItems = `
  with listed as (
    insert into import_run_items (id, run_id, position, title, action, publication_id)
    select gen_random_uuid(), $2, row_number() over () - 1, left(title, 100), 'created', id from (
      select * from publications where acteur_id = $3 limit 1000) chosen)
  insert into import_items (source_id, external_id, publication_id, run_id, action, said)
  select $1, slug, id, $2, 'created', '{}' from publications where acteur_id = $3`

const reports = `
  with worst as (
    select id from publications where deleted_at is null and moderation_status = 'published' order by id limit 1),
  made as (
    insert into publication_reports (id, publication_id, caller_key, day, category)
    select gen_random_uuid(), id, 'reader ' || n, current_date, 'spam' from worst, generate_series(1, 5000) n)
  select id from worst`

const largestGroup = 'select group_id as id from group_communes group by 1 order by count(*) desc limit 1'
