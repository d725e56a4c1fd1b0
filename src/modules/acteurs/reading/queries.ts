import { sql } from 'kysely'
import { columnList } from '../../../platform/database/columns.ts'
import { allOf, among } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { beginsWord } from '../../../platform/database/search.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import { isUuid } from '../../../platform/uuid.ts'
import { type CommuneActeursQuery, type PublicActeur, shown } from './schema.ts'

/** Matches the condition of the index on a commune's public acteurs. */
const isPublic = sql`valide and active and deleted_at is null and merged_into is null`

const columns = sql`${columnList(shown, 'acteurs')},
  (select json_build_object('id', c.id, 'slug', c.slug, 'nom', c.nom)
    from communes c where c.id = acteurs.commune_id) as commune`

/** Finds an acteur. The id and the slug of a merged acteur find its target. */
export async function findPublicActeur(db: Database, idOrSlug: string): Promise<PublicActeur | null> {
  const asked = isUuid(idOrSlug) ? sql`id = ${idOrSlug}` : sql`slug = ${idOrSlug}`
  const isIt = sql`id = (select coalesce(merged_into, id) from acteurs where ${asked})`
  const { rows } = await sql<PublicActeur>`
    select ${columns} from acteurs where ${isIt} and ${isPublic}`.execute(db)
  return rows[0] ?? null
}

/** Lists by name: `search_text` is a space followed by the folded name. */
export async function listActeursOfCommune(
  db: Database,
  communeId: string,
  query: CommuneActeursQuery,
  { limit, offset }: Paging,
): Promise<PublicActeur[]> {
  const { rows } = await sql<PublicActeur>`
    select ${columns} from acteurs where ${matching(communeId, query)}
    order by search_text, id limit ${limit} offset ${offset}`.execute(db)
  return rows
}

export async function countActeursOfCommune(
  db: Database,
  communeId: string,
  query: CommuneActeursQuery,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from acteurs where ${matching(communeId, query)}`.execute(db)
  return rows[0]?.total ?? 0
}

const matching = (communeId: string, { q, type }: CommuneActeursQuery) =>
  allOf(sql`commune_id = ${communeId}`, isPublic, q !== undefined && beginsWord(q), among('type', type))
