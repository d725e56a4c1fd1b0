import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { Database } from '../../platform/database/connect.ts'
import { notFound } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { Can, list, oneOf, titled } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { managedColumns, publicationTables } from './columns.ts'
import { publicationActions, withCan } from './decisions/states.ts'
import { namesIn } from './fields.ts'
import { ById, ManagedPublication } from './schema.ts'

const sharedNames = [...namesIn('similarity'), 'acteur_id'] as const

const SimilarPublication = titled('SimilarPublication', {
  ...ManagedPublication.properties,
  because: oneOf(
    ['duplicate', 'title'],
    '`duplicate`: same group of suspected duplicates. `title`: same acteur, created within 90 days, and a similar title',
  ),
  similarity: Type.Number({ description: 'Of the titles: 1 is the same', examples: [0.85] }),
  can: Can(publicationActions),
  shares: Type.Array(oneOf(sharedNames), { description: 'Fields that are equal and not empty' }),
})
/** A row as selected from the database. */
type SimilarPublication = Omit<Static<typeof SimilarPublication>, 'can'>

export function similarAdminRoutes(scope: SignedInScope, { reads }: Deps): void {
  scope.get(
    '/admin/publications/:id/similar',
    {
      schema: {
        operationId: 'listSimilarPublications',
        summary: `Up to ${maxSimilar} publications that resemble one, and what they share`,
        params: ById,
        response: { 200: list(SimilarPublication) },
      },
    },
    async ({ params }) => ({ data: (await listSimilar(reads, params.id)).map(withCan) }),
  )
}

const least = sql.lit(0.6)
const maxSimilar = 20

/**
 * Lists publications similar to one: its group of duplicates first, then by similarity of titles. Compares at
 * most the 2 000 newest of its acteur, created within 90 days of it.
 */
async function listSimilar(db: Database, id: string): Promise<SimilarPublication[]> {
  const { rows } = await sql<SimilarPublication | { id: null }>`
    with this as (select * from publications where id = ${id}),
    candidates as (
      (select p.id, true as is_duplicate from this join publications p on p.duplicate_key = this.duplicate_key
        where p.deleted_at is null and p.id <> this.id
        order by p.created_at desc, p.id desc limit ${sql.lit(maxSimilar)})
      union all
      (select p.id, false from this join publications p on p.acteur_id = this.acteur_id
        where p.created_at between this.created_at - interval '90 days' and this.created_at + interval '90 days'
          and p.deleted_at is null and p.id <> this.id
        order by p.created_at desc, p.id desc limit 2000)),
    compared as (
      select c.id, bool_or(c.is_duplicate) as is_duplicate, max(similarity(p.title, this.title)) as similarity
      from candidates c join publications p on p.id = c.id cross join this group by c.id),
    picked as materialized (
      select * from compared where is_duplicate or similarity >= ${least}
      order by is_duplicate desc, similarity desc, id desc limit ${sql.lit(maxSimilar)})
    select ${managedColumns}, case when picked.is_duplicate then 'duplicate' else 'title' end as because,
      round(picked.similarity::numeric, 2)::float8 as similarity, ${shares} as shares
    from this left join (picked join (${publicationTables}) on p.id = picked.id) on true
    order by picked.is_duplicate desc, picked.similarity desc, picked.id desc`.execute(db)
  if (rows.length === 0) throw notFound()
  return rows.filter((row) => row.id !== null)
}

const shares = sql`array_remove(array[${sql.join(
  sharedNames.map(
    (name) => sql`case when p.${sql.ref(name)} = this.${sql.ref(name)} then ${sql.lit(name)} end`,
  ),
)}], null)`
