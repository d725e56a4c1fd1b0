import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from } from 'pg-copy-streams'
import type { Connection } from '../src/platform/database/connection.ts'
import { textOf } from './words.ts'

/** Records with much and with little content. */
export type Landmarks = { bigCommune: string; smallCommune: string; bigActeur: string; smallActeur: string }

const [acteursCount, communesCount] = [20_000, 34_969]
const day = 86_400_000

/** Rows per statement, about as many as an import writes at once. */
const batch = 1_000

/**
 * Creates a country's publications, the same for the same count: most by few acteurs and in few communes, 5 % pending,
 * 2 % deleted, 3 % duplicates, one report per twenty. Triggers see each row, so that lists, counts and indexes are as they would
 * be in production, not as new.
 */
export async function makePublications(superuser: Connection, count: number): Promise<Landmarks> {
  const client = new pg.Client(superuser)
  await client.connect()
  try {
    await client.query('set synchronous_commit = off')
    const communes = await ensureCommunes(client)
    await copy(client, 'acteurs', acteurColumns, acteurRows(communes))
    await client.query('analyze acteurs')
    for (const rows of inBatches(publicationRows(communes, count))) {
      await copy(client, 'publications', publicationColumns, rows)
      await client.query(links, [communes.slice(0, 2_000), rows.map(([id]) => id)])
    }
    await client.query('analyze publications')
    await client.query(reports, [Math.floor(count / 20)])
    return { bigCommune: communes[0] ?? '', smallCommune: communes[9_000] ?? '', ...acteurLandmarks }
  } finally {
    await client.end()
  }
}

function* inBatches(rows: Iterable<Value[]>): Generator<Value[][]> {
  let some: Value[][] = []
  for (const row of rows) {
    some.push(row)
    if (some.length < batch) continue
    yield some
    some = []
  }
  yield some
}

const idOf = (kind: 'a' | 'c', number: number) =>
  `${kind.repeat(8)}-0000-7000-8000-${number.toString(16).padStart(12, '0')}`
const acteurLandmarks = { bigActeur: idOf('a', 0), smallActeur: idOf('a', 15_000) }

/** Uses existing communes or invents some; the first ones get the most content. */
async function ensureCommunes(client: pg.Client): Promise<string[]> {
  const find = async () =>
    (await client.query('select id from communes order by population desc nulls last, code_insee')).rows
  const found = await find()
  if (found.length > 0) return found.map(({ id }) => id)
  await client.query(
    `insert into communes (id, slug, nom, code_insee, departement, region, population)
     select ('cccccccc-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'commune-' || n, 'Commune ' || n,
       lpad(n::text, 5, '0'), left(lpad(n::text, 5, '0'), 2), '84', 40000 - n
     from generate_series(0, $1::int - 1) n`,
    [communesCount],
  )
  return (await find()).map(({ id }) => id)
}

const acteurColumns = [
  'id',
  'slug',
  'nom',
  'type',
  'commune_id',
  'valide',
  'active',
  'can_publish',
  'deleted_at',
]
function* acteurRows(communes: string[]): Generator<Value[]> {
  const random = randomOf(7)
  for (let n = 0; n < acteursCount; n++) {
    const type = pick(random, ['association', 'association', 'association', 'commerce', 'mairie', 'ecole'])
    const nom = `${pick(random, names)} ${pick(random, places)} ${n}`
    const commune = communes[skewed(random, communes.length, 2.5)] ?? null
    const deleted = n % 100 === 99 ? '2026-01-01' : null
    yield [
      idOf('a', n),
      `acteur-${n}`,
      nom,
      type,
      commune,
      n % 20 !== 19,
      n % 50 !== 49,
      n % 3 !== 0,
      deleted,
    ]
  }
}

const publicationColumns = [
  'id',
  'slug',
  'title',
  'body',
  'acteur_id',
  'commune_id',
  'type_id',
  'date_debut',
  'date_fin',
  'source_url',
  'epingle',
  'moderation_status',
  'valide',
  'publie_le',
  'en_avant',
  'featured_until',
  'deleted_at',
  'duplicate_key',
  'created_at',
  'updated_at',
]
function* publicationRows(communes: string[], count: number): Generator<Value[]> {
  const random = randomOf(1)
  const now = Date.now()
  const timeOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
  for (let n = 0; n < count; n++) {
    // Spread over three years, the newest last.
    const made = now - Math.floor(((count - n) / count) * 3 * 365 * day)
    const acteur = idOf('a', skewed(random, acteursCount, 2))
    const title = `${pick(random, subjects)} ${pick(random, places)} ${pick(random, moments)}`
    const status = statusOf(random())
    const isPublished = status === 'approved' || status === 'published'
    const isDue = status === 'published' || (status === 'approved' && random() < 0.9)
    const toCome = status === 'approved' && random() < 0.05
    const publie = isDue ? (toCome ? now + random() * 90 * day : made + random() * day) : null
    const first = random() < 0.4 ? Math.floor((made + random() * 120 * day) / day) * day : null
    const featured = isPublished && random() < 0.000_5
    const source = random() < 0.3 ? `https://exemple.fr/agenda/${Math.floor(n / 2)}` : null
    // One in thirty duplicates another.
    const key = random() < 0.03 ? `group ${Math.floor(n / 70)}` : `single ${n}`
    yield [
      uuidAt(made, n),
      `publication-${n}`,
      title,
      `<p>${title}. ${textOf(random)}</p>`,
      acteur,
      communes[skewed(random, communes.length, 4)] ?? null,
      `01998000-0000-7000-8000-00000000000${1 + Math.floor(random() * 7)}`,
      timeOf(first)?.slice(0, 10) ?? null,
      first !== null && random() < 0.3 ? (timeOf(first + 3 * day)?.slice(0, 10) ?? null) : null,
      source,
      random() < 0.01,
      status,
      isPublished && random() > 0.01,
      timeOf(publie),
      featured,
      featured && random() < 0.5 ? timeOf(now + (random() - 0.5) * 60 * day) : null,
      random() < 0.02 ? timeOf(Math.min(now, made + 10 * day)) : null,
      `${source === null ? 's' : 'u'}:${hash('md5', key, 'hex')}`,
      timeOf(made),
      timeOf(made + random() * 5 * day),
    ]
  }
}

const statusOf = (chance: number) =>
  chance < 0.05 ? 'pending' : chance < 0.08 ? 'rejected' : chance < 0.16 ? 'approved' : 'published'

const links = `
  insert into publication_communes (publication_id, commune_id)
  select id, commune_id from publications where commune_id is not null and id = any($2)
  union
  select id, ($1::uuid[])[1 + abs(hashtext(slug)) % 2000] from publications
  where abs(hashtext(slug)) % 12 = 0 and id = any($2)`
const reports = `
  insert into publication_reports (id, publication_id, caller_key, day, category, closed_at, created_at)
  select md5(slug)::uuid, id, 'reader', created_at::date, 'spam',
    case when abs(hashtext(slug)) % 5 <> 0 then created_at + interval '2 days' end, created_at + interval '1 day'
  from publications where publie_le < now() order by hashtext(slug || 'report') limit $1`

type Value = string | number | boolean | null

async function copy(client: pg.Client, table: string, columns: string[], rows: Iterable<Value[]>) {
  const sink = client.query(from(`copy ${table} (${columns.join(', ')}) from stdin`))
  await pipeline(Readable.from(inChunks(rows)), sink)
}

function* inChunks(rows: Iterable<Value[]>): Generator<string> {
  let chunk = ''
  for (const row of rows) {
    chunk += `${row.map((value) => (value === null ? '\\N' : String(value))).join('\t')}\n`
    if (chunk.length > 60_000) {
      yield chunk
      chunk = ''
    }
  }
  yield chunk
}

/** A random sequence determined by its seed. */
export function randomOf(seed: number): () => number {
  let state = seed * 2_654_435_769
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const pick = <T>(random: () => number, values: readonly T[]): T =>
  values[Math.floor(random() * values.length)] as T
/** A power of a uniform distribution favours low numbers. */
const skewed = (random: () => number, count: number, power: number) => Math.floor(count * random() ** power)

function uuidAt(ms: number, number: number): string {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${number.toString(16).padStart(12, '0')}`
}

const subjects = [
  'Fête',
  'Travaux',
  'Concert',
  'Marché',
  'Réunion publique',
  'Collecte',
  'Vide-grenier',
  'Loto',
  'Exposition',
  'Randonnée',
  'Atelier',
  'Conseil municipal',
]
const places = [
  'de la pomme',
  'rue Haute',
  'du village',
  'à la salle polyvalente',
  'en forêt',
  'des anciens combattants',
  'du foyer rural',
  'de la médiathèque',
  "de l'école",
  'place du marché',
]
const moments = [
  'ce week-end',
  'en septembre',
  'pour tous',
  'de printemps',
  'annuelle',
  'et repas partagé',
  'des familles',
  '2026',
]
const names = [
  'Comité des fêtes',
  'Amicale',
  'Boulangerie',
  'Club',
  'Mairie',
  'Foyer',
  'Association',
  'Ateliers',
]
