import type { Caller } from '../../platform/access/caller.ts'
import { withCanOf } from '../../platform/access/rules.ts'
import { change, create, type RecordKind } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { invalid, notFound, raise } from '../../platform/errors.ts'
import { slugify } from '../../platform/formats/text.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import * as queries from './queries.ts'
import {
  type AdminType,
  type AppSource,
  actions,
  type SourceCreate,
  type SourceRow,
  type SourceUpdate,
  type TypeCreate,
  type TypeRow,
  type TypeUpdate,
} from './schema.ts'
import { appSource, ownSources } from './sources/rules.ts'

/** Adds `can`: what an administrator may do with a record. */
export const withCan = withCanOf(actions)
const readType = async (_tx: Database, row: TypeRow) => withCan(row)

/** Adds to applications the names of their communes, and what an administrator may do. */
export async function withNames(db: Database, rows: SourceRow[]): Promise<AppSource[]> {
  const ids = [...new Set(rows.flatMap(({ commune_ids }) => commune_ids ?? []))]
  const communes = ids.length === 0 ? [] : await queries.listCommuneNames(db, ids)
  return rows.map((row) => {
    const shown = row.commune_ids && new Set(row.commune_ids)
    return withCan({
      ...row,
      communes: shown && communes.filter(({ id }) => shown.has(id)),
      own: ownSources.includes(row.code),
    })
  })
}

/** As `withNames`, for a single application. */
export async function readSource(db: Database, row: SourceRow): Promise<AppSource> {
  const [source] = await withNames(db, [row])
  return source ?? raise(notFound())
}

/** A publication type as an audited record. */
export const publicationType = {
  entity: 'publication_type',
  personal: [],
  lock: queries.getTypeForUpdate,
  write: queries.updateType,
} satisfies RecordKind<TypeRow>

const source = {
  ...appSource,
  lock: queries.getAppSourceForUpdate,
  write: queries.updateAppSource,
  auditedValues: ({ id: _, ...row }) => row,
} satisfies RecordKind<SourceRow>

export function createType(db: Database, caller: Caller, body: TypeCreate): Promise<AdminType> {
  const slug = body.slug ?? slugify(body.libelle)
  if (slug === '') throw invalid('slug', messages.slug)
  return create(db, caller, publicationType, { action: 'publication_type.create', read: readType }, (tx) =>
    queries.insertType(tx, { ...body, id: uuidv7(), slug }),
  )
}

export const updateType = (db: Database, caller: Caller, id: string, body: TypeUpdate): Promise<AdminType> =>
  change(db, caller, publicationType, { id, action: 'publication_type.update', read: readType }, () => body)

/** Creates an application: active by default, and unrestricted if it names no communes. */
export function createAppSource(db: Database, caller: Caller, body: SourceCreate): Promise<AppSource> {
  const { active = true } = body
  return create(db, caller, source, { action: 'app_source.create', read: readSource }, async (tx) => {
    const commune_ids = await knownCommunes(tx, body.commune_ids ?? null)
    return queries.insertAppSource(tx, { ...body, commune_ids, active })
  })
}

/** Updates an application. Only the label of the service's own applications can change. */
export function updateAppSource(
  db: Database,
  caller: Caller,
  code: string,
  body: SourceUpdate,
): Promise<AppSource> {
  return change(
    db,
    caller,
    source,
    { id: code, action: 'app_source.update', read: readSource },
    async (tx) => {
      if (ownSources.includes(code)) {
        if (body.active === false) throw invalid('active', messages.own)
        if (body.commune_ids != null) throw invalid('commune_ids', messages.own)
      }
      if (body.commune_ids === undefined) return body
      return { ...body, commune_ids: await knownCommunes(tx, body.commune_ids) }
    },
  )
}

/** Returns these communes without duplicates and sorted; 422 if one does not exist. */
async function knownCommunes(tx: Database, ids: string[] | null): Promise<string[] | null> {
  if (ids === null) return null
  const all = [...new Set(ids.map((id) => id.toLowerCase()))].sort()
  if ((await queries.countCommunes(tx, all)) < all.length) throw invalid('commune_ids', messages.unknown)
  return all
}

const messages = {
  slug: {
    en: 'is required: the label has no letter or digit',
    fr: 'est requis : le libellé n’a ni lettre ni chiffre',
  },
  own: {
    en: 'cannot change: the application belongs to the service',
    fr: 'ne peut pas changer : l’application appartient au service',
  },
  unknown: { en: 'must be existing communes', fr: 'doivent être des communes existantes' },
}
