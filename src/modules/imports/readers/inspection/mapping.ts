import { fold } from '../../../../platform/formats/text.ts'
import type { Mapping } from '../../schema.ts'

/** A column of a table or a path of a document, with the first value found there. */
export type Field = { name: string; example: string | null }

type Target = Exclude<keyof Mapping, 'items'>

/** Names that feeds give to each field, the most telling first. They are compared without accents. */
const names: Record<Target, string[]> = {
  external_id: [
    'external_id',
    'identifiant',
    'id',
    'uid',
    'guid',
    'uuid',
    'recordid',
    'code',
    'reference',
    'ref',
    'slug',
  ],
  title: ['title', 'titre', 'nom', 'name', 'intitule', 'libelle', 'label', 'objet', 'evenement', 'headline'],
  body: [
    ...[
      'body',
      'description',
      'texte',
      'contenu',
      'content',
      'descriptif',
      'text',
      'details',
      'longdescription',
    ],
    ...['resume', 'summary', 'chapo', 'excerpt', 'message'],
  ],
  url: ['url', 'lien', 'link', 'permalink', 'href', 'page', 'site', 'website', 'siteweb', 'canonicalurl'],
  date_debut: [
    ...[
      'date_debut',
      'datedebut',
      'debut',
      'start',
      'start_date',
      'startdate',
      'begin',
      'starts_at',
      'dtstart',
    ],
    ...['date', 'jour', 'quand', 'published', 'pubdate'],
  ],
  date_fin: ['date_fin', 'datedefin', 'fin', 'end', 'end_date', 'enddate', 'ends_at', 'dtend', 'jusqu_au'],
  image_url: [
    'image_url',
    'imageurl',
    'image',
    'photo',
    'visuel',
    'picture',
    'illustration',
    'thumbnail',
    'vignette',
  ],
  'lieu.nom': ['lieu_nom', 'nom_du_lieu', 'lieu', 'place', 'location', 'venue', 'salle', 'location_name'],
  'lieu.adresse': ['adresse', 'address', 'rue'],
  'lieu.latitude': ['latitude', 'lat'],
  'lieu.longitude': ['longitude', 'lon', 'lng'],
}

/**
 * Proposes which field is which, by their names; null if there are none. A title, a text and an identifier are
 * always proposed, since a source needs them: a colleague corrects what the names do not tell.
 */
export function proposeMapping(fields: Field[]): Mapping | null {
  const found = Object.fromEntries(
    Object.entries(names).map(([target, all]) => [target, find(fields, all)]),
  ) as Record<Target, string | undefined>
  const filled = fields.filter(({ example }) => example !== null)
  const title = found.title ?? filled.find(({ name }) => name !== found.external_id)?.name ?? fields[0]?.name
  if (title === undefined) return null
  const { url, date_debut, date_fin, image_url } = found
  const place = placeOf(found)
  const taken = [url, date_debut, date_fin, image_url, ...Object.values(place)]
  return {
    external_id: found.external_id ?? url ?? title,
    title,
    body: found.body ?? longest(filled.filter(({ name }) => !taken.includes(name))) ?? title,
    ...(url !== undefined && { url }),
    ...(date_debut !== undefined && { date_debut }),
    ...(date_fin !== undefined && date_fin !== date_debut && { date_fin }),
    ...(image_url !== undefined && { image_url }),
    ...place,
  }
}

/** Coordinates are proposed together. */
function placeOf(found: Record<Target, string | undefined>): Partial<Mapping> {
  const {
    'lieu.nom': nom,
    'lieu.adresse': adresse,
    'lieu.latitude': latitude,
    'lieu.longitude': longitude,
  } = found
  return {
    ...(nom !== undefined && { 'lieu.nom': nom }),
    ...(adresse !== undefined && adresse !== nom && { 'lieu.adresse': adresse }),
    ...(latitude !== undefined &&
      longitude !== undefined && { 'lieu.latitude': latitude, 'lieu.longitude': longitude }),
  }
}

/** Prefers the whole name, then the last part of a path, then a name that begins with the word or abbreviates it. */
function find(fields: Field[], all: string[]): string | undefined {
  const known = fields.map(({ name }) => ({ name, folded: plain(name), last: lastPart(name) }))
  const ways: ((word: string) => (field: (typeof known)[number]) => boolean)[] = [
    (word) => (field) => field.folded === word,
    (word) => (field) => field.last === word,
    (word) => (field) => word.length > 3 && field.last.startsWith(word),
    (word) => (field) => field.last.length > 3 && word.startsWith(field.last),
  ]
  for (const way of ways)
    for (const word of all.map(plain)) {
      const match = known.find(way(word))
      if (match !== undefined) return match.name
    }
  return undefined
}

const plain = (name: string) => fold(name).replaceAll(/[^a-z0-9]/g, '')

/** The last word of a path, or the one before a language or a position: `titre.fr`, `images.0`. */
function lastPart(name: string): string {
  const parts = name.split('.').map(plain)
  const end = parts.at(-1) ?? ''
  return (/^(?:fr|\d+)$/.test(end) ? parts.at(-2) : end) ?? ''
}

function longest(fields: Field[]): string | undefined {
  const length = ({ example }: Field) => example?.length ?? 0
  return fields.toSorted((one, other) => length(other) - length(one))[0]?.name
}
