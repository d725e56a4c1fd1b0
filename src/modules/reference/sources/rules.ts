import { isDeepStrictEqual } from 'node:util'
import { operator } from '../../../platform/access/caller.ts'
import type { AuditedKind } from '../../../platform/audit/record.ts'
import { append } from '../../../platform/change.ts'
import { StartError } from '../../../platform/config/start-error.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { codePattern } from '../schema.ts'
import * as queries from './queries.ts'

/** An application as an audited record. */
export const appSource = { entity: 'app_source', personal: [] } satisfies AuditedKind

/**
 * Replaces the whole source: omitted fields become unrestricted and active. Neither `create` nor `change`,
 * because it is an upsert: two concurrent calls both succeed.
 */
export async function setSource(
  db: Database,
  { code, label, communes, active }: queries.Source,
): Promise<void> {
  if (!new RegExp(codePattern).test(code)) throw new StartError(`${code} is not a valid code: ${codeRule}.`)
  if (ownSources.includes(code) && (!active || communes !== null))
    throw new StartError(`The source ${code} belongs to the service: only its label can be changed.`)
  await db.transaction().execute(async (tx) => {
    const commune_ids = communes && (await getCommuneIds(tx, communes))
    const before = await queries.findSourceForUpdate(tx, code)
    const after = { code, label, commune_ids, active }
    if (isDeepStrictEqual(before, after)) return
    await queries.upsertSource(tx, after)
    const change = { kind: appSource, entityId: code, before, after }
    await append(tx, operator, { action: 'app_source.set', ...change })
  })
}

// Removing or restricting these would lock out the service's own applications and unnamed clients.
export const ownSources = ['public', 'mairie', 'backoffice', 'site']
const codeRule = 'at most 50 small letters, digits, - and _, the first a letter or a digit'

async function getCommuneIds(db: Database, codes: string[]): Promise<string[]> {
  const found = await queries.listCommuneIds(db, codes)
  const unknown = found.filter(({ id }) => id === null).map(({ code }) => code)
  if (unknown.length > 0) throw new StartError(`There is no commune with the code ${unknown.join(', ')}.`)
  return [...new Set(found.flatMap(({ id }) => id ?? []))].sort()
}
