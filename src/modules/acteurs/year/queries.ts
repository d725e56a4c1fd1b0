import { sql } from 'kysely'
import { jsonTime } from '../../../platform/database/columns.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import { type ActeurYear, maxCounted } from './schema.ts'

/** Counts the activity of an acteur, including a deleted one, in the last year. */
export async function getYear(db: Database, id: string): Promise<ActeurYear> {
  const { rows } = await sql<ActeurYear>`
    select a.id, a.nom, a.created_at, m.members, m.owners, p.publications, c.claims
    from acteurs a
    cross join lateral (
      select count(*)::int as members, count(*) filter (where role = 'owner')::int as owners
      from actor_users where acteur_id = a.id) m
    cross join lateral (
      select json_build_object(
        'created', count(*),
        'published', count(*) filter (
          where p.moderation_status in ('approved', 'published') and p.deleted_at is null),
        'rejected', count(*) filter (where p.moderation_status = 'rejected'),
        'reported', count(*) filter (
          where exists (select from publication_reports r where r.publication_id = p.id)),
        'latest_at', ${jsonTime(sql`max(p.created_at)`)}) as publications
      from (
        select id, moderation_status, deleted_at, created_at from publications
        where acteur_id = a.id and created_at > now() - interval '1 year'
        order by created_at desc, id desc limit ${sql.lit(maxCounted)}) p) p
    cross join lateral (
      select json_build_object(
        'created', count(*),
        'approved', count(*) filter (where status = 'approved'),
        'rejected', count(*) filter (where status = 'rejected')) as claims
      from claims where acteur_id = a.id and created_at > now() - interval '1 year') c
    where a.id = ${id}`.execute(db)
  return rows[0] ?? raise(notFound())
}
