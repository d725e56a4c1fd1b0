import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { type ZipEntry, zipOf } from '../../../platform/http/zip.ts'
import type { Deps } from '../../../platform/module.ts'
import { daysLater } from '../../../platform/time/days.ts'
import { dayInParis, todayInParis } from '../../../platform/time/paris-time.ts'
import { type Proof, type Root, readProof, startOf } from '../proof.ts'
import { getPublicAct } from '../reading.ts'
import { ById } from '../schema.ts'
import { endOfPresence, longestHours } from './presence.ts'
import { presenceReadMe, presenceVerifier } from './proof-texts.ts'

/**
 * The proof that an act was on line for its two months: the samples of each day that has ended, with the chain from the first of
 * them to the root of the day. Once the two months are over, the archive is the same bytes each time.
 */
export function presenceProofRoute(scope: HttpServer, { reads, clock }: Pick<Deps, 'reads' | 'clock'>): void {
  scope.get(
    '/actes/:id/presence.zip',
    { config: { caching: { never: 'the days are read while they are sent' } }, schema: { params: ById } },
    async (request, reply) => {
      const act = await getPublicAct(reads, request.caller, request.params.id)
      const today = todayInParis(clock())
      const proof = await readProof(reads, act.id, today)
      const until = endOfPresence(act)
      const days = { first: dayInParis(act.published_at), last: dayInParis(until), today }
      return reply
        .type('application/zip')
        .header('content-disposition', `attachment; filename="presence-${act.id}.zip"`)
        .header('cache-control', 'no-cache')
        .header('x-robots-tag', 'noindex')
        .send(Readable.from(zipOf(entriesOf(reads, proof, { days, until })), { objectMode: false }))
    },
  )
}

type Days = { first: string; last: string; today: string }

function entriesOf(
  db: Database,
  { record, ...chain }: Proof,
  { days, until }: { days: Days; until: Date },
): ZipEntry[] {
  const text = (name: string, content: string) => ({ name, read: () => [Buffer.from(content)] })
  return [
    text('acte.json', record),
    text('chaine.json', `${JSON.stringify(chain, null, 1)}\n`),
    { name: 'releves.json', read: () => textOfDays(db, days, until) },
    text('verifier.py', presenceVerifier(longestHours)),
    text('LISEZMOI.txt', presenceReadMe),
  ]
}

/** Writes the days one after the other: in two months many acts may have been sealed. */
async function* textOfDays(db: Database, { first, last, today }: Days, until: Date): AsyncGenerator<Buffer> {
  yield Buffer.from(`{"until":${JSON.stringify(until.toISOString())},"days":[`)
  let separator = '\n'
  for (let day = first; day <= last && day < today; day = daysLater(day, 1)) {
    const found = await readDay(db, day)
    if (found === null) continue
    yield Buffer.from(`${separator}${JSON.stringify(found)}`)
    separator = ',\n'
  }
  yield Buffer.from('\n]}\n')
}

type Link = { number: number; digest: string; record: string | null; previous: string; seal: string }
type Day = { previous: string; links: Partial<Omit<Link, 'previous' | 'seal'>>[]; root: Root }

/** Reads the chain from the first sample of a day to its root, with the records of all its samples; null if there is none. */
async function readDay(db: Database, day: string): Promise<Day | null> {
  const start = startOf(sql`${day}::date`)
  const end = startOf(sql`${day}::date + 1`)
  const { rows } = await sql<Link>`
    select number::float8 as number, encode(digest, 'hex') as digest, encode(previous, 'hex') as previous,
      encode(seal, 'hex') as seal, case when act_id is null then record end as record
    from act_seals
    where number >= (select number from act_seals where act_id is null and sealed_at >= ${start} and sealed_at < ${end}
        order by sealed_at, number limit 1)
      and sealed_at < ${end}
    order by number`.execute(db)
  const [first, last] = [rows[0], rows.at(-1)]
  if (first === undefined || last === undefined) return null
  return {
    previous: first.previous,
    links: rows.map(({ number, digest, record }) =>
      record === null ? { number, digest } : { number, record },
    ),
    root: { date: day, number: last.number, seal: last.seal },
  }
}
