import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { ActRow, Publisher } from './queries.ts'

/**
 * The chain of published acts. Each seal covers the record of one act, or a sample of what is on line, and, by the seal before,
 * all earlier ones:
 *
 *     digest = sha256(record)        seal = sha256(seal before || digest)
 *
 * There is no key in it, other than in the seals of the audit log: whoever has a later seal can verify every earlier act without
 * the service. The audit entry of a publication names the seal, so that the seals of the audit log cover it too.
 */

/** Stands before the first seal. */
export const noSeal: Buffer = Buffer.alloc(32)

export const sha256 = (...parts: (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** Writes a value as JSON with sorted keys and without spaces: the same bytes for the same content, as RFC 8785 has it. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${fields.map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each)}`).join(',')}}`
}

type Sealed = Publisher & { typedText: string | null }

/** The record of an act as the chain has it: what it said of itself on the day of its publication, whose moment is still null. */
export const recordOf = (act: ActRow, { id, nom, communes, groups, typedText }: Sealed) =>
  canonicalJson({
    format: 1,
    id: act.id,
    acteur: { id, nom },
    communes: communes.map(({ code_insee, nom }) => ({ code_insee, nom })),
    // A mairie has none: its records stay as they were before there were groups.
    ...(groups.length > 0 && { groups }),
    kind: act.kind,
    number: act.number,
    title: act.title,
    date: act.date,
    author_first_name: act.author_first_name,
    author_name: act.author_name,
    author_quality: act.author_quality,
    subject: act.subject,
    individual: act.individual,
    supersedes: act.supersedes,
    sha256: act.sha256,
    ...(typedText !== null && { text_sha256: sha256(typedText).toString('hex') }),
    bytes: act.bytes,
    pages: act.pages,
    published_at: null,
  })

/** Locks the chain until the transaction ends. Publications wait for each other here. */
export async function lockChain(tx: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('parvis seals of acts'))`.execute(tx)
}

type Link = {
  /** Null: a sample. */
  actId: string | null
  /** With its moment as null: the database sets it. */
  record: string
  /** Of content with a past, which the owner of the tables alone inserts. */
  at?: Date | null
}

/** Appends the record of an act, or a sample without one, to the chain. The database sets its moment and its seal. */
export async function appendSeal(
  tx: Database,
  { actId, record, at = null }: Link,
): Promise<{ seal: Buffer; at: Date }> {
  const { rows } = await sql<{ seal: Buffer; at: Date }>`
    insert into act_seals (act_id, record, sealed_at) values (${actId}, ${record}, ${at})
    returning seal, sealed_at as at`.execute(tx)
  return rows[0] ?? raise(notFound())
}
