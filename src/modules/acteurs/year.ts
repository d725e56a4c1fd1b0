import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { opens } from '../../platform/access/areas.ts'
import { jsonTime } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { adminRequired, notFound, raise } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { Id, nullable, ResponseTimestamp, record, titled } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { ById } from './schema.ts'

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })

/** Maximum number of publications that are counted. */
const maxCounted = 10_000

const ActeurYear = titled('ActeurYear', {
  id: Id(),
  nom: Type.String({ examples: ['Les Croqueurs de pommes'] }),
  created_at: ResponseTimestamp('Since when it is here'),
  members: count('Who may act for it', 2),
  owners: count('Of these, owners', 1),
  publications: titled(
    'ActeurYearPublications',
    {
      created: count(`At most the newest ${maxCounted}`, 14),
      published: count('Accepted and not deleted', 12),
      rejected: count('Rejected', 1),
      reported: count('Reported by readers, whatever became of the reports', 0),
      latest_at: nullable(ResponseTimestamp('When the newest was created')),
    },
    'Created in the last year',
  ),
  claims: titled(
    'ActeurYearClaims',
    {
      created: count('All', 2),
      approved: count('Approved', 1),
      rejected: count('Rejected', 1),
    },
    'Made in the last year',
  ),
})
type ActeurYear = Static<typeof ActeurYear>

/** Areas that may read it: decisions on publications and claims need these figures too. */
const areas = ['publications', 'claims', 'acteurs']

export function yearRoutes(scope: SignedInScope, { reads }: Deps): void {
  scope.get(
    '/admin/acteurs/:id/record',
    {
      config: { needs: 'record.open' },
      schema: {
        operationId: 'getActeurYear',
        summary:
          'Numbers of an acteur, for whoever works on publications, claims or acteurs: its last year, its members, since when it is here',
        params: ById,
        response: { 200: record(ActeurYear) },
      },
    },
    async ({ params, caller }) => {
      const data = await getYear(reads, params.id)
      if (!areas.some((area) => opens(caller.user.roles, area))) throw adminRequired()
      return { data }
    },
  )
}

/** Counts the activity of an acteur, including a deleted one, in the last year. */
async function getYear(db: Database, id: string): Promise<ActeurYear> {
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
