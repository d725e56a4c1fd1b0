import { type Selectable, sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import type * as tables from '../../../platform/database/types.generated.ts'

/** An application source; communes are INSEE codes, with names when listed. */
export type Source = { code: string; label: string; communes: string[] | null; active: boolean }
type SourceRow = Pick<Selectable<tables.AppSources>, 'code' | 'label' | 'commune_ids' | 'active'>

export async function listSources(db: Database): Promise<Source[]> {
  const { rows } = await sql<Source>`
    select code, label, active, case when commune_ids is not null then array(
      select code_insee || ' ' || nom from communes where id = any(commune_ids) order by code_insee) end as communes
    from app_sources order by code`.execute(db)
  return rows
}

export async function findSourceForUpdate(db: Database, code: string): Promise<SourceRow | null> {
  const row = await db
    .selectFrom('app_sources')
    .select(['code', 'label', 'commune_ids', 'active'])
    .where('code', '=', code)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? null
}

export async function upsertSource(db: Database, values: SourceRow): Promise<void> {
  await db
    .insertInto('app_sources')
    .values(values)
    .onConflict((conflict) => conflict.constraint('app_sources_pkey').doUpdateSet(values))
    .execute()
}

/** Maps INSEE codes, including those of former communes, to current communes; null if unknown. */
export async function listCommuneIds(
  db: Database,
  codes: string[],
): Promise<{ code: string; id: string | null }[]> {
  const { rows } = await sql<{ code: string; id: string | null }>`
    select code, coalesce(
      (select id from communes where code_insee = code),
      (select commune_id from commune_aliases where code_insee = code)) as id
    from unnest(${codes}::text[]) as code`.execute(db)
  return rows
}
