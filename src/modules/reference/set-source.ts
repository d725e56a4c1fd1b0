import { isDeepStrictEqual } from 'node:util'
import { type Selectable, sql } from 'kysely'
import { operator } from '../../platform/access/caller.ts'
import { append } from '../../platform/change.ts'
import { StartError } from '../../platform/config/start-error.ts'
import type { Database } from '../../platform/database/connect.ts'
import type * as tables from '../../platform/database/types.generated.ts'
import { appSource, codePattern, ownSources } from './app-sources.ts'

/**
 * Replaces the whole source: omitted fields become unrestricted and active. Neither `create` nor `change`,
 * because it is an upsert: two concurrent calls both succeed.
 */
export async function setSource(
  db: Database,
  { code, label, communes, group, active }: Source,
): Promise<void> {
  if (!new RegExp(codePattern).test(code)) throw new StartError(`${code} is not a valid code: ${codeRule}.`)
  if (ownSources.includes(code) && (!active || communes !== null || group !== null))
    throw new StartError(`The source ${code} belongs to the service: only its label can be changed.`)
  await db.transaction().execute(async (tx) => {
    const commune_ids = communes && (await getCommuneIds(tx, communes))
    const group_id = group && (await getGroupId(tx, group))
    const before = await findSourceForUpdate(tx, code)
    const after = { code, label, commune_ids, group_id, active }
    if (isDeepStrictEqual(before, after)) return
    await upsertSource(tx, after)
    const change = { kind: appSource, entityId: code, before, after }
    await append(tx, operator, { action: 'app_source.set', ...change })
  })
}

const codeRule = 'at most 50 small letters, digits, - and _, the first a letter or a digit'

async function getCommuneIds(db: Database, codes: string[]): Promise<string[]> {
  const found = await listCommuneIds(db, codes)
  const unknown = found.filter(({ id }) => id === null).map(({ code }) => code)
  if (unknown.length > 0) throw new StartError(`There is no commune with the code ${unknown.join(', ')}.`)
  return [...new Set(found.flatMap(({ id }) => id ?? []))].sort()
}

async function getGroupId(db: Database, slug: string): Promise<string> {
  const row = await db
    .selectFrom('groups')
    .select('id')
    .where('slug', '=', slug)
    .forKeyShare()
    .executeTakeFirst()
  if (row === undefined) throw new StartError(`There is no group ${slug}.`)
  return row.id
}

/** An application source; communes are INSEE codes, with names when listed. */
export type Source = {
  code: string
  label: string
  communes: string[] | null
  /** Slug of the group that it shows. */
  group: string | null
  active: boolean
}
type SourceRow = Pick<Selectable<tables.AppSources>, 'code' | 'label' | 'commune_ids' | 'group_id' | 'active'>

export async function listSources(db: Database): Promise<Source[]> {
  const { rows } = await sql<Source>`
    select code, label, active, case when commune_ids is not null then array(
      select code_insee || ' ' || nom from communes where id = any(commune_ids) order by code_insee) end as communes,
      (select slug from groups where id = group_id) as group
    from app_sources order by code`.execute(db)
  return rows
}

async function findSourceForUpdate(db: Database, code: string): Promise<SourceRow | null> {
  const row = await db
    .selectFrom('app_sources')
    .select(['code', 'label', 'commune_ids', 'group_id', 'active'])
    .where('code', '=', code)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? null
}

async function upsertSource(db: Database, values: SourceRow): Promise<void> {
  await db
    .insertInto('app_sources')
    .values(values)
    .onConflict((conflict) => conflict.constraint('app_sources_pkey').doUpdateSet(values))
    .execute()
}

/** Maps INSEE codes, including those of former communes, to current communes; null if unknown. */
async function listCommuneIds(db: Database, codes: string[]): Promise<{ code: string; id: string | null }[]> {
  const { rows } = await sql<{ code: string; id: string | null }>`
    select code, coalesce(
      (select id from communes where code_insee = code),
      (select commune_id from commune_aliases where code_insee = code)) as id
    from unnest(${codes}::text[]) as code`.execute(db)
  return rows
}
