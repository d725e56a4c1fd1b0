import { sql } from 'kysely'
import { columnList } from '../../../platform/database/columns.ts'
import { among, equals } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { beginsWord } from '../../../platform/database/search.ts'
import { byId } from '../../../platform/database/sort-order.ts'
import { isUuid } from '../../../platform/formats/uuid.ts'
import type { List } from '../../../platform/http/listing/list.ts'
import { type CommuneActeursQuery, type PublicActeur, shown } from './schema.ts'

/** Matches the condition of the index on a commune's public acteurs. */
const isPublic = sql`valide and active and deleted_at is null and merged_into is null`

const columns = sql<PublicActeur>`${columnList(shown, 'acteurs')},
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

type OfCommune = CommuneActeursQuery & { commune_id: string }

/** `search_text` is a space followed by the folded name. */
export const acteursOfCommune: List<OfCommune, PublicActeur> = {
  name: 'acteurs-of-commune',
  from: sql`acteurs`,
  as: 'acteurs',
  where: isPublic,
  filters: { commune_id: equals('commune_id'), q: beginsWord, type: among('type') },
  sorts: { nom: [{ by: sql`search_text`, type: 'text' }, byId] },
  defaults: { sort: 'nom_asc' },
  columns,
}
