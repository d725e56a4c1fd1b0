import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
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

export type ActSeal = { number: number; digest: Buffer; previous: Buffer; seal: Buffer }

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

type Sealed = Publisher & { typedText: string | null; publishedAt: Date }

/** The record of an act as the chain has it: what it said of itself on the day of its publication. */
export const recordOf = (act: ActRow, { id, nom, communes, groups, typedText, publishedAt }: Sealed) =>
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
    published_at: publishedAt.toISOString(),
  })

export type Last = { number: number; seal: Buffer; sealed_at: Date | null }

/** Locks the chain until the transaction ends and returns its last seal. Publications wait for each other here. */
export async function lockChain(tx: Database): Promise<Last> {
  await sql`select pg_advisory_xact_lock(hashtext('parvis seals of acts'))`.execute(tx)
  const { rows } = await sql<Last>`
    select number::float8 as number, seal, sealed_at from act_seals order by number desc limit 1`.execute(tx)
  return rows[0] ?? { number: 0, seal: noSeal, sealed_at: null }
}

/** Returns the moment of the next seal. Clocks of instances differ: the chain never goes back in time. */
export const momentAfter = (last: Last, now: Date): Date =>
  last.sealed_at !== null && last.sealed_at > now ? last.sealed_at : now

/** Appends the record of an act, or a sample without one, to the chain, whose lock the caller holds. */
export async function appendSeal(
  tx: Database,
  last: Last,
  { actId, record, at }: { actId: string | null; record: string; at: Date },
): Promise<ActSeal> {
  const digest = sha256(record)
  const seal = { number: last.number + 1, digest, previous: last.seal, seal: sha256(last.seal, digest) }
  await tx
    .insertInto('act_seals')
    .values({ ...seal, act_id: actId, sealed_at: at, record })
    .execute()
  return seal
}
