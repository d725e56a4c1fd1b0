import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { noSeal, sha256 } from './chain.ts'
import type { Root } from './proof.ts'

type Row = {
  number: number
  act_id: string | null
  sealed_at: Date
  record: string
  digest: Buffer
  previous: Buffer
  seal: Buffer
  act: object | null
  state: string | null
  file_sha256: string | null
  /** Of the text that was typed for a scan. */
  text_sha256: string | null
}

const batch = 200

/**
 * Verifies what a superuser can change in spite of triggers: the chain link by link, the acts against their records, and the
 * files and typed texts against their digests. Roots that were kept elsewhere show whether the chain itself was replaced. Says
 * each fault.
 */
export async function verifyActs(
  db: Database,
  kept: readonly Root[],
  say: (fault: string) => void,
): Promise<{ seals: number; acts: number; faults: number }> {
  const counts = { seals: 0, acts: 0, faults: 0 }
  const fault = (text: string) => {
    counts.faults++
    say(text)
  }
  const keptAt = new Map(kept.map((root) => [root.number, root]))
  let last: { number: number; seal: Buffer; at: Date } = { number: 0, seal: noSeal, at: new Date(0) }
  for (let rows = await listLinks(db, 0); rows.length > 0; rows = await listLinks(db, last.number)) {
    for (const row of rows) {
      counts.seals++
      const name = `seal ${row.number}`
      if (row.number !== last.number + 1) fault(`${name}: seals before it are missing`)
      if (!row.previous.equals(last.seal)) fault(`${name}: it does not follow the seal before`)
      if (!row.digest.equals(sha256(row.record))) fault(`${name}: its record was changed`)
      if (!row.seal.equals(sha256(row.previous, row.digest)))
        fault(`${name}: it is not the seal of its record`)
      if (row.sealed_at < last.at) fault(`${name}: it is older than the seal before`)
      const root = keptAt.get(row.number)
      if (root !== undefined && root.seal !== row.seal.toString('hex'))
        fault(`${name}: the root of ${root.date} that was kept is another one`)
      keptAt.delete(row.number)
      for (const text of faultsOfAct(row)) fault(text)
      if (row.act_id !== null) counts.acts++
      last = { number: row.number, seal: row.seal, at: row.sealed_at }
    }
  }
  for (const { date, number } of keptAt.values())
    fault(`seal ${number}: it is gone, and the root of ${date} was kept`)
  for (const id of await listUnsealed(db)) fault(`act ${id}: it is published without a seal`)
  return counts
}

/** Compares an act with its record, and its file with both. */
function faultsOfAct({ act_id, act, record, sealed_at, state, file_sha256, text_sha256 }: Row): string[] {
  const sealed = fieldsOf(record)
  const name = `act ${act_id}`
  if (act_id === null)
    return sealed.kind === 'presence' && sealed.at === sealed_at.toISOString()
      ? []
      : ['a seal without an act is no sample']
  if (act === null) return [`${name}: it is gone`]
  const changed = Object.entries(act).flatMap(([field, value]) => (sealed[field] === value ? [] : [field]))
  return [
    ...changed.map((field) => `${name}: ${field} is not what was sealed`),
    ...(sealed.published_at === sealed_at.toISOString() ? [] : [`${name}: it was sealed at another moment`]),
    ...(state === 'draft' ? [`${name}: it is sealed, and a draft`] : []),
    ...(state !== 'occulted' && file_sha256 === null ? [`${name}: its file is gone`] : []),
    ...(file_sha256 !== null && file_sha256 !== sealed.sha256
      ? [`${name}: its file is not the one that was sealed`]
      : []),
    ...(file_sha256 !== null && text_sha256 !== (sealed.text_sha256 ?? null)
      ? [`${name}: its typed text is not the one that was sealed`]
      : []),
  ]
}

/** The record may be no JSON any more. */
function fieldsOf(record: string): Record<string, unknown> {
  try {
    return JSON.parse(record)
  } catch {
    return {}
  }
}

async function listLinks(db: Database, after: number): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select s.number::float8 as number, s.act_id, s.sealed_at, s.record, s.digest, s.previous, s.seal,
      ac.state, encode(sha256(f.content), 'hex') as file_sha256,
      case when ac.typed_text then encode(sha256(convert_to(f.text, 'UTF8')), 'hex') end as text_sha256,
      case when ac.id is not null then json_build_object(
        'id', ac.id, 'kind', ac.kind, 'number', ac.number, 'title', ac.title, 'date', ac.date::text,
        'author_first_name', ac.author_first_name, 'author_name', ac.author_name, 'author_quality', ac.author_quality,
        'subject', ac.subject, 'individual', ac.individual, 'supersedes', ac.supersedes, 'sha256', ac.sha256,
        'bytes', ac.bytes, 'pages', ac.pages,
        'published_at', to_char(ac.published_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end as act
    from act_seals s left join acts ac on ac.id = s.act_id left join act_files f on f.act_id = ac.id
    where s.number > ${after}::bigint order by s.number limit ${batch}`.execute(db)
  return rows
}

async function listUnsealed(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from acts ac
    where state <> 'draft' and not exists (select from act_seals s where s.act_id = ac.id)
    order by id limit 100`.execute(db)
  return rows.map(({ id }) => id)
}
