import { hash } from 'node:crypto'
import type { Insertable } from 'kysely'
import { insertPublication } from '../src/modules/publications/queries.ts'
import { cleanContent, completeContent } from '../src/modules/publications/writing/content.ts'
import { duplicateKey } from '../src/modules/publications/writing/duplicates.ts'
import { slugOf } from '../src/modules/publications/writing/rules.ts'
import type { Database } from '../src/platform/database/connect.ts'
import type * as tables from '../src/platform/database/types.generated.ts'
import { uuidv7At } from '../src/platform/formats/uuid.ts'
import { mapCommuneIds, mapIds, readData } from './data.ts'
import { insertDemoPicture } from './pictures.ts'
import { addDays, type Day, day, inWords, iso, type Moment, moments } from './times.ts'

type DemoPublication = {
  /** Slug of the acteur; null without one. */
  acteur: string | null
  /** INSEE codes; the first is the main commune. Empty: all members of the acteur's group. */
  communes: string[]
  /** Slug of the type. */
  type: string
  /** In title and body, `{jour}` stands for the first day in words, `{fin}` for the last. */
  title: string
  body: string
  lieu?: { nom: string; adresse?: string; latitude?: number; longitude?: number }
  date_debut?: Day
  /** Days after the first. */
  date_fin?: { after: number }
  source_url?: string
  /** Name of a file in `pictures/`. */
  picture?: string
  state: { moderation_status: string; valide: boolean } & Pick<
    Insertable<tables.Publications>,
    'moderation_reason' | 'decided_centrally' | 'en_avant' | 'epingle'
  >
  times: { created_at: Moment; publie_le?: Moment; featured_until?: Moment; deleted_at?: Moment }
  reports?: DemoReport[]
}
type DemoReport = { category: string; message?: string; times: { created_at: Moment; closed_at?: Moment } }

/** Content of mairies, groups and acteurs, then editorial cases: every state, duplicates, reports. */
const files = ['mairies', 'groups', 'acteurs', 'cases'].map((name) => `publications/${name}.json`)

export async function insertDemoPublications(db: Database, now: Date): Promise<void> {
  const publications = (await Promise.all(files.map((file) => readData<DemoPublication[]>(file)))).flat()
  const codes = publications.flatMap(({ communes }) => communes)
  const places = {
    communes: await mapCommuneIds(db, [...new Set(codes)]),
    acteurs: await mapIds(db, 'acteurs', 'slug'),
    types: await mapIds(db, 'publication_types', 'slug'),
  }
  for (const publication of publications) await insert(db, publication, places, now)
}

type Places = Record<'communes' | 'acteurs' | 'types', Map<string, string>>

async function insert(db: Database, publication: DemoPublication, places: Places, now: Date): Promise<void> {
  const { acteur, state, times, reports = [], picture } = publication
  const communeIds = publication.communes.flatMap((code) => places.communes.get(code) ?? [])
  const acteur_id = acteur === null ? null : places.acteurs.get(acteur)
  const isNowhere = communeIds.length === 0 && publication.communes.length > 0
  if (isNowhere || acteur_id === undefined) return
  const content = contentOf(publication, places, now)
  const at = moments(times, now)
  const id = uuidv7At(at.created_at.getTime())
  const { created_at } = at
  const cover = picture && (await insertDemoPicture(db, { name: picture, acteur_id, created_at }))
  const values = {
    slug: slugOf(content.title, id),
    ...content,
    images: cover === undefined ? null : [cover],
    acteur_id,
    commune_id: communeIds[0] ?? null,
    duplicate_key: duplicateKey({ ...content, acteur_id }),
    ...state,
    ...at,
    updated_at: lastTouched(at, now),
  }
  await insertPublication(db, { id, ...values, commune_ids: communeIds })
  await insertReports(db, id, reports, now)
}

/** Returns the text with its dates filled in, cleaned as for an author. */
function contentOf(publication: DemoPublication, { types }: Places, now: Date) {
  const { title, body, type, date_debut, date_fin } = publication
  const { source_url = null, lieu = null } = publication
  const first = date_debut && day(date_debut, now)
  const last = first && date_fin && addDays(first, date_fin.after)
  const fill = (text: string) =>
    text
      .replaceAll('{jour}', () => (first ? inWords(first) : '{jour}'))
      .replaceAll('{fin}', () => (last ? inWords(last) : '{fin}'))
  const days = { date_debut: first ? iso(first) : null, date_fin: last ? iso(last) : null }
  const given = { title: fill(title), body: fill(body), type_id: types.get(type) ?? null, ...days }
  return completeContent(cleanContent({ ...given, source_url, lieu }))
}

type Times = { created_at: Date; publie_le?: Date; deleted_at?: Date }

function lastTouched({ created_at, publie_le, deleted_at }: Times, now: Date): Date {
  return deleted_at ?? (publie_le && publie_le < now ? publie_le : created_at)
}

async function insertReports(
  db: Database,
  publication_id: string,
  reports: DemoReport[],
  now: Date,
): Promise<void> {
  if (reports.length === 0) return
  const rows = reports.map(({ times, ...said }, index) => {
    const at = moments(times, now)
    const id = uuidv7At(at.created_at.getTime())
    const caller_key = hash('sha256', `demo reader ${index}`, 'base64url').slice(0, 22)
    return { id, publication_id, caller_key, day: iso(at.created_at), ...said, ...at }
  })
  await db.insertInto('publication_reports').values(rows).execute()
}
