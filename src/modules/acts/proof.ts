import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { type ZipEntry, zipOf } from '../../platform/http/zip.ts'
import type { Deps } from '../../platform/module.ts'
import { dayInParis, todayInParis } from '../../platform/time/paris-time.ts'
import { sha256 } from './chain.ts'
import { readMe, verifier } from './proof-texts.ts'
import { getPartOfFile, getTypedText } from './queries.ts'
import { getPublicAct } from './reading.ts'
import { ById } from './schema.ts'

/**
 * The proof of an act, for whoever does not trust the service: its file, its record, and the chain from the seal before it to the
 * root of its day, which is the last seal of that day. Roots are public, so that anybody can keep them. From the next day on, the
 * archive is the same bytes each time.
 */

type Needed = { reads: Database; clock: Deps['clock'] }

export function proofRoutes(scope: HttpServer, { reads, clock }: Needed): void {
  scope.get(
    '/actes/:id/preuve.zip',
    { config: { caching: { never: 'a file is sent while it is read' } }, schema: { params: ById } },
    async (request, reply) => {
      const { id, sha256, bytes, state } = await getPublicAct(reads, request.caller, request.params.id)
      const proof = await readProof(reads, id, todayInParis(clock()))
      const isOcculted = state === 'occulted'
      const stamps = await listStamps(reads, proof)
      const entries = entriesOf(
        proof,
        stamps,
        isOcculted
          ? null
          : { sha256, read: () => chunksOf(reads, id, bytes), text: await getTypedText(reads, id) },
      )
      return (
        reply
          .type('application/zip')
          .header('content-disposition', `attachment; filename="preuve-${id}.zip"`)
          .header('cache-control', 'no-cache')
          // Some acts are about a person.
          .header('x-robots-tag', 'noindex')
          .send(Readable.from(zipOf(entries), { objectMode: false }))
      )
    },
  )

  scope.get(
    '/actes/racines.json',
    { config: { caching: { never: 'a root is public when its day has ended' } } },
    async (_request, reply) => {
      const racines = await listRoots(reads, todayInParis(clock()))
      return reply
        .type('application/json; charset=utf-8')
        .header('cache-control', 'no-cache')
        .header('access-control-allow-origin', '*')
        .send({ racines })
    },
  )
}

/** What an authority signed of a seal, with the certificates to verify it by; `name`: of its files. */
export type Stamp = { name: string; seal: string; reply: Buffer; at: Date; authority: string; pem: string }
export type Root = { date: string; number: number; seal: string }
export type Proof = {
  record: string
  previous: string
  number: number
  links: { number: number; digest: string }[]
  /** Null until the day has ended. */
  root: Root | null
}
/** `text`: what its mairie typed, if it is a scan. */
type File = { sha256: string; read: ZipEntry['read']; text: string | null }

function entriesOf({ record, ...chain }: Proof, stamps: Stamp[], file: File | null): ZipEntry[] {
  const isOcculted = file === null
  const contents: [string, string | Buffer][] = [
    ...(file?.text == null ? [] : [['texte.txt', file.text] satisfies [string, string]]),
    ['acte.json', record],
    ['chaine.json', `${JSON.stringify({ occulte: isOcculted, ...chain }, null, 1)}\n`],
    ...stamps.flatMap(({ name, reply, pem }): [string, string | Buffer][] => [
      [`${name}.tsr`, reply],
      [`${name}.pem`, pem],
    ]),
    ['verifier.py', verifier],
    ['LISEZMOI.txt', readMe({ isOcculted, hasText: file?.text != null, root: chain.root, stamps })],
  ]
  const sums = [
    ...(file === null ? [] : [`${file.sha256}  acte.pdf\n`]),
    ...contents.map(([name, content]) => `${sha256(content).toString('hex')}  ${name}\n`),
  ]
  const entries = [...contents, ['SHA256SUMS', sums.join('')] as const].map(([name, content]) => ({
    name,
    read: () => [Buffer.from(content)],
  }))
  return file === null ? entries : [{ name: 'acte.pdf', read: file.read }, ...entries]
}

/** Reads the chain from the seal of an act to the last one of its day in Paris. `today` has no root yet. */
export async function readProof(db: Database, id: string, today: string): Promise<Proof> {
  type Row = Pick<Proof, 'record' | 'number' | 'previous'> & { sealed_at: Date }
  const { rows } = await sql<Row>`
    select record, number::float8 as number, encode(previous, 'hex') as previous, sealed_at
    from act_seals where act_id = ${id}`.execute(db)
  const { sealed_at, ...own } = rows[0] ?? raise(notFound())
  const day = dayInParis(sealed_at)
  const { rows: seals } = await sql<{ number: number; digest: string; seal: string }>`
    select number::float8 as number, encode(digest, 'hex') as digest, encode(seal, 'hex') as seal from act_seals
    where number >= ${own.number} and sealed_at < ${startOf(sql`${day}::date + 1`)} order by number`.execute(
    db,
  )
  const last = seals.at(-1) ?? raise(notFound())
  if (day >= today)
    return { ...own, links: seals.slice(0, 1).map(({ number, digest }) => ({ number, digest })), root: null }
  const links = seals.map(({ number, digest }) => ({ number, digest }))
  return { ...own, links, root: { date: day, number: last.number, seal: last.seal } }
}

/** Reads the timestamp of the act's seal, and that of the root if the root is another seal; none while they have not come. */
export async function listStamps(db: Database, { number, root }: Proof): Promise<Stamp[]> {
  const { rows } = await sql<Stamp>`
    select case when t.number = ${number} then 'horodatage' else 'horodatage-racine' end as name,
      encode(s.seal, 'hex') as seal, t.reply, t.at, t.authority, a.pem
    from act_timestamps t join act_seals s on s.number = t.number
    join act_authorities a on a.digest = t.authority_digest
    where t.number in (${number}, ${root?.number ?? number}) order by t.number`.execute(db)
  return rows
}

export const startOf = (day: ReturnType<typeof sql>) =>
  sql<Date>`((${day})::timestamp at time zone 'Europe/Paris')`

/** So many days are listed: who keeps roots reads them more often. */
const maxRoots = 1_000

/** Lists the roots of the days that have ended, the latest first. Each step is one look into the index. */
export async function listRoots(db: Database, today: string, limit = maxRoots): Promise<Root[]> {
  const lastBefore = (moment: ReturnType<typeof startOf>) => sql`
    select number, seal, (sealed_at at time zone 'Europe/Paris')::date as day from act_seals
    where sealed_at < ${moment} order by sealed_at desc, number desc limit 1`
  const { rows } = await sql<Root>`
    with recursive roots as (
      (${lastBefore(startOf(sql`${today}::date`))})
      union all
      select earlier.* from roots cross join lateral (${lastBefore(startOf(sql`roots.day`))}) earlier)
    select day::text as date, number::float8 as number, encode(seal, 'hex') as seal from roots limit ${limit}`.execute(
    db,
  )
  return rows
}

const chunkBytes = 512 * 1_024

async function* chunksOf(db: Database, id: string, bytes: number) {
  for (let at = 0; at < bytes; at += chunkBytes)
    yield await getPartOfFile(db, id, { first: at, length: Math.min(chunkBytes, bytes - at) })
}
