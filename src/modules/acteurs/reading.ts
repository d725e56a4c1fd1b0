import { type RawBuilder, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { columnList } from '../../platform/database/columns.ts'
import { compiledOnce } from '../../platform/database/compiled-once.ts'
import { allOf, among, equals } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { requireRow } from '../../platform/database/require-row.ts'
import { beginsWord } from '../../platform/database/search.ts'
import { byId } from '../../platform/database/sort-order.ts'
import { notFound, raise } from '../../platform/errors.ts'
import { isUuid } from '../../platform/formats/uuid.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import type { AddressList } from '../../platform/http/listing/addresses.ts'
import type { List } from '../../platform/http/listing/list.ts'
import { numberedPage } from '../../platform/http/listing/list-page.ts'
import { Page, pagingQuery, publicPerPage } from '../../platform/http/listing/paging.ts'
import { Id, IdOrSlug, nullable, record, titled } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { imageOf, publicAddress } from '../media/images.ts'
import { Acteur, beginningOfName, Logo, severalTypes, shownFields } from './schema.ts'

export const ByIdOrSlug = Type.Object({
  idOrSlug: IdOrSlug('Identifier or slug of the acteur', 'petanque-de-chambery'),
})
const ByCommune = Type.Object({ communeId: Id('Identifier of the commune') })

export const CommuneActeursQuery = Type.Object({
  ...pagingQuery(publicPerPage),
  q: beginningOfName,
  type: severalTypes,
})
export type CommuneActeursQuery = Static<typeof CommuneActeursQuery>

const { id, slug, nom, type, badge } = Acteur.properties

/** Fields stored in the acteur's own row. */
const shown = { id, slug, nom, type, badge, ...shownFields }

export const PublicActeur = titled('PublicActeur', {
  ...shown,
  logo: Logo,
  commune: nullable(
    Type.Object(
      {
        id: Id(),
        slug: Type.String({ examples: ['chambery'] }),
        nom: Type.String({ examples: ['Chambéry'] }),
      },
      { description: 'Where it acts' },
    ),
  ),
})
export type PublicActeur = Static<typeof PublicActeur>

/** Serves only validated, active acteurs; responds 404 for all others, as if they did not exist. */
export function readingRoutes(scope: HttpServer, { reads, lists }: Deps): void {
  scope.get(
    '/acteurs/:idOrSlug',
    {
      config: { caching: { shows: ['acteurs', 'communes'], direct: true } },
      schema: {
        operationId: 'getPublicActeur',
        summary: 'One acteur, by its id or slug',
        params: ByIdOrSlug,
        response: { 200: record(PublicActeur) },
      },
    },
    async ({ params }) => ({ data: (await findPublicActeur(reads, params.idOrSlug)) ?? raise(notFound()) }),
  )

  scope.get(
    '/communes/:communeId/acteurs',
    {
      config: { caching: { shows: ['acteurs', 'communes'] } },
      schema: {
        operationId: 'listCommuneActeurs',
        summary: 'Acteurs of a commune, by name',
        params: ByCommune,
        querystring: CommuneActeursQuery,
        response: { 200: Page(PublicActeur) },
      },
    },
    async ({ params: { communeId }, query }) => {
      const [answer] = await Promise.all([
        numberedPage(lists, acteursOfCommune, { ...query, commune_id: communeId }, publicPerPage),
        requireRow(lists, 'communes', communeId),
      ])
      return answer
    },
  )
}

/** Matches the condition of the index on a commune's public acteurs. */
export const isPublicActeur = sql<boolean>`valide and active and deleted_at is null and merged_into is null`

/** True if the directory of a commune names an acteur. */
export async function hasActeurs(db: Database, communeId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from acteurs where commune_id = ${communeId} and ${isPublicActeur}) as found`.execute(
    db,
  )
  return rows[0]?.found ?? false
}

export const publicColumns = sql<PublicActeur>`${columnList(shown, 'acteurs')},
  ${imageOf(sql`acteurs.logo`, publicAddress)} as logo,
  (select json_build_object('id', c.id, 'slug', c.slug, 'nom', c.nom)
    from communes c where c.id = acteurs.commune_id) as commune`

const selectActeur = (isIt: RawBuilder<unknown>) => sql<PublicActeur>`
  select ${publicColumns} from acteurs where ${isIt} and ${isPublicActeur}`
const acteurById = compiledOnce((id: string) =>
  selectActeur(sql`id = (select coalesce(merged_into, id) from acteurs where id = ${id})`),
)
const bySlug = (slug: string) => sql`(select coalesce(merged_into, id) from acteurs where slug = ${slug})`
// One that the public does not see does not keep the slug from the one that had it.
const acteurBySlug = compiledOnce(
  (slug: string) => sql<PublicActeur>`${selectActeur(sql`id = any(array[${bySlug(slug)},
    (select coalesce(merged_into, a.id) from acteurs a join acteur_former_slugs f on f.id = a.id
      where f.slug = ${slug})])`)}
    order by (id = ${bySlug(slug)}) desc limit 1`,
)

/** Finds an acteur, also by a former slug. The id and the slugs of a merged acteur find its target. */
export async function findPublicActeur(db: Database, idOrSlug: string): Promise<PublicActeur | null> {
  const [row = null] = await (isUuid(idOrSlug) ? acteurById : acteurBySlug)(db, idOrSlug)
  return row
}

/** Returns when an acteur was changed last. */
export async function findActeurChange(db: Database, id: string): Promise<Date> {
  const row = await db.selectFrom('acteurs').select('updated_at').where('id', '=', id).executeTakeFirst()
  return row?.updated_at ?? raise(notFound())
}

export type OfCommune = CommuneActeursQuery & { commune_id: string }

/** `search_text` is a space followed by the folded name. */
export const acteursOfCommune: List<OfCommune, PublicActeur> = {
  name: 'acteurs-of-commune',
  from: sql`acteurs`,
  as: 'acteurs',
  where: isPublicActeur,
  filters: { commune_id: equals('commune_id'), q: beginsWord, type: among('type') },
  sorts: { nom: [{ by: sql`search_text`, type: 'text' }, byId] },
  defaults: { sort: 'nom_asc' },
  columns: publicColumns,
}

type PublicActeursQuery = { q?: string; commune_ids?: readonly string[]; sort?: 'nom_asc' }

/** Public acteurs by name, in all communes or in these. */
export const publicActeurs: List<PublicActeursQuery, PublicActeur> = {
  name: 'public-acteurs',
  from: sql`acteurs`,
  as: 'acteurs',
  where: isPublicActeur,
  filters: { q: beginsWord, commune_ids: (ids) => sql`commune_id = any(${ids}::uuid[])` },
  sorts: { nom: [{ by: sql`search_text`, type: 'text' }, byId] },
  defaults: { sort: 'nom_asc' },
  columns: publicColumns,
}

/** Public acteurs of all communes, or of some, after one. */
export async function listAllActeurs(
  db: Database,
  communeIds: readonly string[] | null,
  after: string,
  limit: number,
): Promise<PublicActeur[]> {
  const isShown = allOf(isPublicActeur, communeIds !== null && sql`commune_id = any(${communeIds}::uuid[])`)
  const { rows } = await sql<PublicActeur>`
    select ${publicColumns} from acteurs where id > ${after} and ${isShown} order by id limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Public acteurs of all communes, or of these, with their addresses. */
export const addressesOfActeurs = (communeIds: readonly string[] | null): AddressList => ({
  table: 'acteurs',
  from: sql`acteurs`,
  where: allOf(isPublicActeur, communeIds !== null && sql`commune_id = any(${communeIds}::uuid[])`),
  at: sql`created_at`,
  id: sql`id`,
})
