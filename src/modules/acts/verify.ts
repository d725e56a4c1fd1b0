import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { dayInParis } from '../../platform/time/paris-time.ts'
import { canonicalJson, noSeal, sha256 } from './chain.ts'
import type { Root } from './proof.ts'
import { endOfForce } from './states.ts'
import { faultsOfTimestamps } from './timestamps/verify.ts'

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
  /** Codes of the communes on whose lists it stands, in order. */
  communes: string[]
  /** Null, or who holds it in place of its publisher, without a merge. */
  moved_to: string | null
  superseded_by: string | null
  /** The act that corrects it by its own record. */
  correction: string | null
  archived_at: Date | null
  occulted_at: Date | null
  file_sha256: string | null
  /** Of the text that was typed for a scan. */
  text_sha256: string | null
}

const batch = 200

/** Clocks may differ by so much. */
const toleranceMs = 10 * 60_000

/**
 * Verifies what a superuser can change in spite of triggers: the chain link by link, the acts against their records and the steps
 * that their states allow, the files and typed texts against their digests, and the timestamps. Roots that were kept elsewhere show
 * whether the chain itself was replaced, and whether each was the last seal of its day. Says each fault.
 */
export async function verifyActs(
  db: Database,
  kept: readonly Root[],
  say: (fault: string) => void,
  now = new Date(),
): Promise<{ seals: number; acts: number; faults: number }> {
  const counts = { seals: 0, acts: 0, faults: 0 }
  const fault = (text: string) => {
    counts.faults++
    say(text)
  }
  const keptAt = new Map(kept.map((root) => [root.number, root]))
  let last: Last = { number: 0, seal: noSeal, at: new Date(0), root: undefined }
  for (let rows = await listLinks(db, 0); rows.length > 0; rows = await listLinks(db, last.number)) {
    for (const row of rows) {
      counts.seals++
      const root = keptAt.get(row.number)
      for (const text of [...faultsOfLink(row, last, now), ...faultsOfRoot(row, last, root)])
        fault(`seal ${row.number}: ${text}`)
      for (const text of faultsOfAct(row, now)) fault(text)
      keptAt.delete(row.number)
      if (row.act_id !== null) counts.acts++
      last = { number: row.number, seal: row.seal, at: row.sealed_at, root }
    }
  }
  for (const { date, number } of keptAt.values())
    fault(`seal ${number}: it is gone, and the root of ${date} was kept`)
  for (const id of await listUnsealed(db)) fault(`act ${id}: it is published without a seal`)
  for await (const text of faultsOfTimestamps(db, now)) fault(text)
  return counts
}

/** `root`: the kept one that this seal was. */
type Last = { number: number; seal: Buffer; at: Date; root: Root | undefined }

const faultsIn = (faults: [boolean, string][]) => faults.flatMap(([isFault, text]) => (isFault ? [text] : []))

/** Compares a link with the one before it. */
function faultsOfLink({ number, previous, digest, record, seal, sealed_at }: Row, last: Last, now: Date) {
  return faultsIn([
    [number !== last.number + 1, 'seals before it are missing'],
    [!previous.equals(last.seal), 'it does not follow the seal before'],
    [!digest.equals(sha256(record)), 'its record was changed'],
    [canonicalJson(fieldsOf(record)) !== record, 'its record is not in the form of a record'],
    [!seal.equals(sha256(previous, digest)), 'it is not the seal of its record'],
    [sealed_at < last.at, 'it is older than the seal before'],
    [sealed_at.getTime() > now.getTime() + toleranceMs, 'it is dated into the future'],
  ])
}

/** Compares a seal with the root that was kept of it, or with the one that was kept of the seal before. */
function faultsOfRoot({ seal, sealed_at }: Row, last: Last, root: Root | undefined) {
  const day = dayInParis(sealed_at)
  return faultsIn([
    [
      root !== undefined && root.seal !== seal.toString('hex'),
      `the root of ${root?.date} that was kept is another one`,
    ],
    [root !== undefined && root.date !== day, `it is of ${day}, and was kept as the root of ${root?.date}`],
    [
      last.root !== undefined && day <= last.root.date,
      `it is of ${day}, and came after the root of ${last.root?.date} that was kept`,
    ],
  ])
}

/** Compares an act with its record, its state with its steps, and its file with both. */
function faultsOfAct(row: Row, now: Date): string[] {
  const { act_id, act, record, sealed_at } = row
  const sealed = fieldsOf(record)
  if (act_id === null)
    return sealed.kind === 'presence' && sealed.at === sealed_at.toISOString()
      ? []
      : ['a seal without an act is no sample']
  const name = `act ${act_id}`
  if (act === null) return [`${name}: it is gone`]
  const all: Fields = { ...sealed, published_by: sealed.acteur?.id }
  const changed = Object.entries(act).flatMap(([field, value]) => (all[field] === value ? [] : [field]))
  return [
    ...changed.map((field) => `${field} is not what was sealed`),
    ...faultsOfPlace(row, sealed),
    ...faultsOfState(row, now),
    ...faultsOfFile(row, sealed),
  ].map((fault) => `${name}: ${fault}`)
}

type Fields = { [field: string]: unknown; acteur?: { id?: string }; communes?: { code_insee?: string }[] }

/** The record names the communes of its mairie. Members of a group, which it names, may be more. */
function faultsOfPlace({ communes, moved_to }: Row, { groups, communes: named = [] }: Fields) {
  const codes = named.flatMap(({ code_insee }) => code_insee ?? [])
  const isOfGroup = groups !== undefined
  return faultsIn([
    [moved_to !== null, `it was moved to the acteur ${moved_to}, without a merge`],
    [
      codes.some((code) => !communes.includes(code)) || (!isOfGroup && communes.length !== codes.length),
      'its communes are not those that were sealed',
    ],
  ])
}

function faultsOfState(row: Row, now: Date) {
  const { state, sealed_at, superseded_by, correction, archived_at, occulted_at } = row
  const end = now.getTime() + toleranceMs
  return faultsIn([
    [state === 'draft', 'it is sealed, and a draft'],
    [superseded_by !== correction, 'it is not superseded by the act that corrects it'],
    [
      (state === 'superseded') !== (superseded_by !== null) && state !== 'occulted',
      `it is ${state}, which its correction does not say`,
    ],
    [
      archived_at !== null && (state === 'published' || state === 'superseded'),
      `it is ${state}, and was archived`,
    ],
    [
      archived_at !== null && archived_at < endOfForce(sealed_at),
      'it was archived before its two months ended',
    ],
    [occulted_at !== null && occulted_at < sealed_at, 'it was occulted before its publication'],
    [
      [archived_at, occulted_at].some((at) => at !== null && at.getTime() > end),
      'its state is dated into the future',
    ],
  ])
}

function faultsOfFile({ sealed_at, state, file_sha256, text_sha256 }: Row, sealed: Fields) {
  return faultsIn([
    [sealed.published_at !== sealed_at.toISOString(), 'it was sealed at another moment'],
    [state !== 'occulted' && file_sha256 === null, 'its file is gone'],
    [state === 'occulted' && file_sha256 !== null, 'it is occulted, and its file is there'],
    [file_sha256 !== null && file_sha256 !== sealed.sha256, 'its file is not the one that was sealed'],
    [
      file_sha256 !== null && text_sha256 !== (sealed.text_sha256 ?? null),
      'its typed text is not the one that was sealed',
    ],
  ])
}

/** The record may be no JSON any more. */
function fieldsOf(record: string): Fields {
  try {
    return JSON.parse(record)
  } catch {
    return {}
  }
}

async function listLinks(db: Database, after: number): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select s.number::float8 as number, s.act_id, s.sealed_at, s.record, s.digest, s.previous, s.seal,
      ac.state, ac.superseded_by, ac.archived_at, ac.occulted_at,
      (select min(by.id::text) from acts by where by.supersedes = ac.id and by.state <> 'draft')::uuid as correction,
      case when ac.acteur_id <> ac.published_by
        and ac.acteur_id is distinct from (select merged_into from acteurs where id = ac.published_by) then ac.acteur_id end as moved_to,
      array(select c.code_insee from communes c where c.id = any(ac.commune_ids)) as communes,
      encode(sha256(f.content), 'hex') as file_sha256,
      case when ac.typed_text then encode(sha256(convert_to(f.text, 'UTF8')), 'hex') end as text_sha256,
      case when ac.id is not null then json_build_object(
        'id', ac.id, 'kind', ac.kind, 'number', ac.number, 'title', ac.title, 'date', ac.date::text,
        'author_first_name', ac.author_first_name, 'author_name', ac.author_name, 'author_quality', ac.author_quality,
        'subject', ac.subject, 'individual', ac.individual, 'supersedes', ac.supersedes, 'sha256', ac.sha256,
        'bytes', ac.bytes, 'pages', ac.pages, 'published_by', ac.published_by,
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
