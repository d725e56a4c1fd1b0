import { contentNames as publicationNames } from '../../../../../src/modules/publications/fields.ts'
import { withKnownDates } from '../../../../../src/modules/publications/recurrence-words.ts'
import type { components } from '../../../api/api.generated.ts'
import { numberOf } from '../../../shell/editing/number-of.ts'
import { idsIn, textOf } from '../../../shell/media/tokens.ts'

type Publication = components['schemas']['Publication']

const otherNames = ['lieu', 'images', 'documents', 'recurrence'] as const
const isPlain = (name: (typeof publicationNames)[number]): name is PlainName =>
  !(otherNames as readonly string[]).includes(name)
const plainNames = publicationNames.filter(isPlain)
/** The parts of the place, as the service names them in its errors. */
export const placeNames = ['lieu.nom', 'lieu.adresse', 'lieu.latitude', 'lieu.longitude'] as const
const mediaNames = ['images', 'documents'] as const
export const contentNames = [...plainNames, ...placeNames, ...mediaNames, 'recurrence'] as const

type PlainName = Exclude<(typeof publicationNames)[number], (typeof otherNames)[number]>
/** Field values of a publication; an empty string stands for null. Pictures and documents are tokens, a recurrence is JSON. */
export type Content = Record<(typeof contentNames)[number], string>

export const emptyContent = Object.fromEntries(contentNames.map((name) => [name, ''])) as Content

export function contentOf(
  publication: Pick<Publication, PlainName | 'lieu' | 'images' | 'documents'> & {
    recurrence?: Publication['recurrence']
  },
): Content {
  const plain = plainNames.map((name) => [name, publication[name] ?? ''])
  const { nom, adresse, latitude, longitude } = publication.lieu ?? {}
  return {
    ...(Object.fromEntries(plain) as Record<PlainName, string>),
    // With pictures, `image_url` is the address of the first one, which is edited as a picture.
    ...(publication.images.length > 0 && { image_url: '' }),
    'lieu.nom': nom ?? '',
    'lieu.adresse': adresse ?? '',
    'lieu.latitude': String(latitude ?? ''),
    'lieu.longitude': String(longitude ?? ''),
    images: textOf(publication.images.map(({ id }) => id)),
    documents: textOf(publication.documents.map(({ id }) => id)),
    recurrence: publication.recurrence ? JSON.stringify(publication.recurrence) : '',
  }
}

/** Returns the content as the API answers it, without pictures and documents. */
export const publicationOf = (content: Content) => {
  const { images: _, documents: __, ...others } = changesOf(content, emptyContent)
  return others
}

/** Returns the changed fields of `content` in the format of the API. */
export function changesOf(content: Content, before: Content): Partial<Sent> {
  const changed = namesThatDiffer(content, before)
  const plain = plainNames.filter((name) => changed.includes(name)).map((name) => [name, sent(name, content)])
  return {
    ...Object.fromEntries(plain),
    ...(placeNames.some((name) => changed.includes(name)) && { lieu: lieuOf(content) }),
    ...Object.fromEntries(
      mediaNames.filter((name) => changed.includes(name)).map((name) => [name, idsIn(content[name])]),
    ),
    ...((changed.includes('recurrence') || (changed.includes('date_debut') && content.recurrence !== '')) && {
      recurrence: recurrenceOf(content),
    }),
  }
}

type Sent = {
  title: string
  body: string
  lieu: Publication['lieu']
  images: string[]
  documents: string[]
  recurrence: Publication['recurrence']
} & Record<Exclude<PlainName, 'title' | 'body'>, string | null>

/** Converts an empty field to null, except title and text: the service then reports them as missing. */
const sent = (name: PlainName, { [name]: value }: Content) =>
  value.trim() === '' && name !== 'title' && name !== 'body' ? null : value

/**
 * The recurrence in the format of the API, without what was said of dates that it no longer has. The form keeps that of a
 * first day which was cleared.
 */
const recurrenceOf = ({ recurrence, date_debut }: Content): Publication['recurrence'] =>
  recurrence === '' || date_debut === '' ? null : withKnownDates(JSON.parse(recurrence), date_debut)

/** The place in the format of the API, which replaces it whole. */
function lieuOf(content: Content): Publication['lieu'] {
  if (placeNames.every((name) => content[name].trim() === '')) return null
  return {
    nom: content['lieu.nom'].trim() || null,
    adresse: content['lieu.adresse'].trim() || null,
    latitude: numberOf(content['lieu.latitude']),
    longitude: numberOf(content['lieu.longitude']),
  }
}

export const namesThatDiffer = (content: Content, before: Content) =>
  contentNames.filter((name) => content[name] !== before[name])
