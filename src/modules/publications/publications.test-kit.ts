import { type InsertObject, sql } from 'kysely'
import type { World } from '../../../test/support/world.ts'
import type { DB } from '../../platform/database/types.generated.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'

type Values = Partial<InsertObject<DB, 'publications'>> & { commune_ids?: string[] }

let counter = 0

/** Inserts a publication, public unless the values say otherwise. */
export async function insertPublication(world: Pick<World, 'db'>, values: Values = {}) {
  const [row] = await insertPublications(world, [values])
  if (row === undefined) throw new Error('PostgreSQL returned no row')
  return row
}

/** Inserts several publications by one statement and returns them in this order. */
export async function insertPublications({ db }: Pick<World, 'db'>, each: Values[]) {
  const rows = await db
    .insertInto('publications')
    .values(each.map(({ commune_ids, ...values }) => ({ ...usual(++counter), ...values })))
    .returningAll()
    .execute()
  const places = rows.flatMap(({ id, commune_id }, index) => {
    const communes = each[index]?.commune_ids ?? (commune_id === null ? [] : [commune_id])
    return communes.map((commune) => ({ publication_id: id, commune_id: commune }))
  })
  if (places.length > 0) await db.insertInto('publication_communes').values(places).execute()
  return rows
}

/** Copies a publication and its communes within the database, and returns the new ids. */
export async function copyPublication(
  { db }: Pick<World, 'db'>,
  id: string,
  count: number,
): Promise<string[]> {
  const { rows: columns } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = 'publications'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and attname not in ('id', 'slug')`.execute(db)
  const names = sql.join(columns.map(({ name }) => sql.ref(name)))
  const { rows } = await sql<{ id: string }>`
    insert into publications (id, slug, ${names})
    select gen_random_uuid(), slug || '-' || n, ${names} from publications, generate_series(1, ${count}) n
    where id = ${id} returning id`.execute(db)
  const ids = rows.map((row) => row.id)
  await sql`
    insert into publication_communes (publication_id, commune_id)
    select copied, commune_id from unnest(${ids}::uuid[]) copied, publication_communes
    where publication_id = ${id}`.execute(db)
  return ids
}

const usual = (number: number) => ({
  id: uuidv7(),
  slug: `publication-${number}`,
  title: `Publication ${number}`,
  body: `Texte ${number}`,
  moderation_status: 'published',
  valide: true,
  publie_le: sql<Date>`now() - interval '1 hour'`,
  duplicate_key: `s:${number.toString(16).padStart(32, '0')}`,
})

/** Creates an association with its owner and an editor; with `can_publish` its content needs no review. */
export async function openAssociation(world: World, { can_publish = false } = {}) {
  const commune = await world.commune()
  const acteur = await world.acteur({ commune_id: commune.id, valide: true, can_publish })
  const owner = await world.user({ memberships: [{ acteur, role: 'owner' }] })
  const editor = await world.user({ memberships: [{ acteur, permissions: ['manage_publications'] }] })
  const content = { title: 'Fête de la pomme', body: 'Pressage sur la place.', acteur_id: acteur.id }
  return {
    commune,
    acteur,
    owner,
    editor,
    content,
    asOwner: world.client({ token: owner.token }),
    asEditor: world.client({ token: editor.token }),
  }
}

/** States that hide a publication, one reason each. */
export const hiddenStates = {
  'not valid': { valide: false },
  pending: { moderation_status: 'pending', valide: false },
  rejected: { moderation_status: 'rejected', valide: false },
  'without a time': { moderation_status: 'approved', publie_le: null },
  'still to come': { publie_le: sql<Date>`now() + interval '1 hour'` },
  deleted: { deleted_at: sql<Date>`now()` },
} satisfies Record<string, Values>

/** Creates an application restricted to these communes. */
export async function restrictedSource({ db }: Pick<World, 'db'>, communeIds: string[]): Promise<string> {
  const code = `restricted-${++counter}`
  await db.insertInto('app_sources').values({ code, label: code, commune_ids: communeIds }).execute()
  return code
}

/** Returns the moderation status of a publication. */
export async function statusOf({ db }: Pick<World, 'db'>, id: string): Promise<string> {
  const row = db.selectFrom('publications').select('moderation_status').where('id', '=', id)
  return (await row.executeTakeFirstOrThrow()).moderation_status
}

/** Returns the audit entries of a publication, oldest first. */
export const auditedValues = ({ db }: Pick<World, 'db'>, id: string) =>
  db
    .selectFrom('audit_log')
    .selectAll()
    .where('entity', '=', 'publication')
    .where('entity_id', '=', id)
    .orderBy('id')
    .execute()
