import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { operator } from '../../platform/access/caller.ts'
import { recordAudit } from '../../platform/audit/record.ts'
import type { Database } from '../../platform/database/connect.ts'
import { StartError } from '../../platform/start-error.ts'
import { appSourceKind } from './audited.ts'

export type Source = { code: string; label: string; communes: string[] | null; active: boolean }

/** Every application source, its communes as INSEE codes with names. */
export async function listSources(db: Database): Promise<Source[]> {
  const { rows } = await sql<Source>`
    select code, label, active, case when commune_ids is not null then array(
      select code_insee || ' ' || nom from communes where id = any(commune_ids) order by code_insee) end as communes
    from app_sources order by code`.execute(db)
  return rows
}

/** The source is as it is said, whole: what is left out is unrestricted and active. */
export async function setSource(db: Database, { code, label, communes, active }: Source): Promise<void> {
  if (!codeForm.test(code)) throw new StartError(`${code} is no code: ${codeRule}.`)
  if (ownSources.includes(code) && (!active || communes !== null))
    throw new StartError(`The source ${code} belongs to the service: only its label can be changed.`)
  await db.transaction().execute(async (tx) => {
    const commune_ids = communes && (await getCommuneIds(tx, communes))
    const before = await findForUpdate(tx, code)
    const after = { code, label, commune_ids, active }
    if (isDeepStrictEqual(before, after)) return
    await tx
      .insertInto('app_sources')
      .values(after)
      .onConflict((conflict) => conflict.constraint('app_sources_pkey').doUpdateSet(after))
      .execute()
    const change = { kind: appSourceKind, entityId: code, before, after } as const
    await recordAudit(tx, operator, { action: 'app_source.set', ...change })
  })
}

// Without them the applications of the service, and callers that name none, would be locked out.
const ownSources = ['public', 'mairie', 'backoffice']
const codeForm = /^[a-z0-9][a-z0-9_-]{0,49}$/
const codeRule = 'at most 50 small letters, digits, - and _, the first a letter or a digit'

async function findForUpdate(db: Database, code: string) {
  const row = await db
    .selectFrom('app_sources')
    .select(['code', 'label', 'commune_ids', 'active'])
    .where('code', '=', code)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? null
}

/** Former codes lead to the commune of today. */
async function getCommuneIds(db: Database, codes: string[]): Promise<string[]> {
  const { rows } = await sql<{ code: string; id: string | null }>`
    select code, coalesce(
      (select id from communes where code_insee = code),
      (select commune_id from commune_aliases where code_insee = code)) as id
    from unnest(${codes}::text[]) as code`.execute(db)
  const unknown = rows.filter(({ id }) => id === null).map(({ code }) => code)
  if (unknown.length > 0) throw new StartError(`There is no commune with the code ${unknown.join(', ')}.`)
  return [...new Set(rows.flatMap(({ id }) => id ?? []))].sort()
}
