import { sql } from 'kysely'
import { opens, type Role } from '../../../platform/access/areas.ts'
import { recordKinds } from '../../../platform/access/record-kinds.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { SelectedAudit } from '../schema.ts'

/** Names of the records and people of one page of the audit log. */
export type Names = {
  /** The name of the record of an entry; null if it is unknown or the caller may not open its area. */
  of(entry: SelectedAudit): string | null
  person(id: string): Person | null
  /** The name of the record that a changed field refers to; null if it refers to none that the caller may open. */
  referred(field: string, value: unknown): string | null
}
export type Person = { nom: string | null; erased: boolean }

/** The area whose colleagues may see the name of a kind of record. Kinds that are missing here have no name. */
const areaOf: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(recordKinds).map(([kind, { area }]) => [kind, area])),
  alerte: 'alertes',
  group: 'groups',
  domain: 'domains',
  page: 'communes',
  secteur: 'communes',
  import_run: 'import-sources',
  template: 'publications',
  ground: 'publications',
  publication_type: 'reference',
  search_term: 'reference',
  access_key: 'users',
  app_source: 'reference',
}

const isUuid = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

/** The kind of record that a changed field refers to by its id. */
const referredBy: Readonly<Record<string, string>> = {
  access_key: 'access_key',
  acteur_id: 'acteur',
  acteur_set: 'acteur',
  mairie_actor_id: 'acteur',
  merged: 'acteur',
  merged_into: 'acteur',
  commune_id: 'commune',
  group_id: 'group',
  publication_id: 'publication',
  source_id: 'import_source',
  type_id: 'publication_type',
  user_id: 'user',
  assignee_id: 'user',
  created_by: 'user',
  decided_by: 'user',
  member_id: 'user',
}

/** Reads the current names for these entries in one statement, whatever their number and kinds. */
export async function readNames(
  db: Database,
  entries: readonly SelectedAudit[],
  roles: readonly Role[],
): Promise<Names> {
  const mayName = (entity: string) => {
    const area = areaOf[entity]
    return area !== undefined && opens(roles, area)
  }
  const wanted = Map.groupBy(entries.flatMap(mentionedBy), ({ entity }) => entity)
  const ids = (entity: string): string[] => {
    const mentioned = mayName(entity) ? (wanted.get(entity) ?? []) : []
    return [...new Set(mentioned.map(({ id }) => id))].filter((id) => entity === 'app_source' || isUuid(id))
  }
  // The author of an entry is part of the audit log.
  const authors = entries.flatMap(({ user_id }) => user_id ?? [])
  const people = [...new Set([...ids('user'), ...authors])]
  // As in the list of accounts, an address stands for a missing name.
  const nameOfUser = mayName('user') ? sql`coalesce(nom, email)` : sql`nom`
  type Row = { entity: string; id: string; name: string | null; erased: boolean }
  const plain = (entity: string, table: string, name: string) => sql`
    select ${sql.lit(entity)} as entity, id::text as id, ${sql.ref(name)}::text as name, false as erased
    from ${sql.table(table)} where id = any(${ids(entity)}::uuid[])`
  const { rows } = await sql<Row>`
    ${plain('publication', 'publications', 'title')}
    union all ${plain('acteur', 'acteurs', 'nom')}
    union all ${plain('commune', 'communes', 'nom')}
    union all ${plain('alerte', 'alertes', 'titre')}
    union all ${plain('group', 'groups', 'nom')}
    union all ${plain('domain', 'domains', 'host')}
    union all ${plain('page', 'commune_pages', 'title')}
    union all ${plain('secteur', 'secteurs', 'nom')}
    union all ${plain('import_source', 'import_sources', 'nom')}
    union all ${plain('defibrillateur', 'defibrillateurs', 'nom')}
    union all ${plain('template', 'reply_templates', 'name')}
    union all ${plain('ground', 'grounds', 'label')}
    union all ${plain('publication_type', 'publication_types', 'libelle')}
    union all ${plain('search_term', 'search_terms', 'term')}
    union all ${plain('access_key', 'access_keys', 'name')}
    union all select 'claim', c.id::text, a.nom, false from claims c join acteurs a on a.id = c.acteur_id
      where c.id = any(${ids('claim')}::uuid[])
    union all select 'subscription', s.id::text, a.nom, false from subscriptions s join acteurs a on a.id = s.acteur_id
      where s.id = any(${ids('subscription')}::uuid[])
    union all select 'import_run', r.id::text, s.nom, false from import_runs r join import_sources s on s.id = r.source_id
      where r.id = any(${ids('import_run')}::uuid[])
    union all select 'thread', id::text, 'n° ' || number, false from support_threads
      where id = any(${ids('thread')}::uuid[])
    union all select 'app_source', code, label, false from app_sources where code = any(${ids('app_source')}::text[])
    union all select 'user', id::text, ${nameOfUser}, erased_at is not null from users
      where id = any(${people}::uuid[])`.execute(db)
  const found = new Map(rows.map((row) => [`${row.entity} ${row.id}`, row]))
  return {
    of: (entry) =>
      mayName(entry.entity)
        ? (found.get(`${entry.entity} ${entry.entity_id}`)?.name ?? nameWithin(entry))
        : null,
    person: (id) => {
      const row = found.get(`user ${id}`)
      return row === undefined ? null : { nom: row.name, erased: row.erased }
    },
    referred(field, value) {
      const entity = referredBy[field]
      return entity !== undefined && mayName(entity) ? (found.get(`${entity} ${value}`)?.name ?? null) : null
    },
  }
}

/** The account that an entry is about: the record itself, or the owner of the session. */
export function accountOf({ entity, entity_id, after, before }: SelectedAudit): string | null {
  const id = entity === 'user' ? entity_id : entity === 'session' ? (after ?? before)?.user_id : null
  return isUuid(id) ? id : null
}

type Mentioned = { entity: string; id: string }

/** The records that an entry is about or that its changed fields refer to. */
function mentionedBy(entry: SelectedAudit): Mentioned[] {
  const { entity, entity_id, before, after } = entry
  const account = accountOf(entry)
  const referred = [before, after].flatMap((values) =>
    Object.entries(values ?? {}).flatMap(([field, id]) => {
      const kind = referredBy[field]
      return kind !== undefined && isUuid(id) ? [{ entity: kind, id }] : []
    }),
  )
  return [
    { entity, id: entity_id },
    ...(account === null ? [] : [{ entity: 'user', id: account }]),
    ...referred,
  ]
}

/** The name that the entry of a deleted record holds. The values of personal fields are never in it. */
function nameWithin({ entity, before, after }: SelectedAudit): string | null {
  if (entity === 'claim' || entity === 'thread') return null
  for (const values of [before, after]) {
    for (const field of ['title', 'titre', 'nom', 'name', 'libelle', 'label']) {
      const value = values?.[field]
      if (typeof value === 'string' && value !== '' && value !== personalValue) return value
    }
  }
  return null
}

/** Stands in the audit log for the value of a personal field. */
export const personalValue = '(personal)'
