import { contentNames as publicationNames } from '../../../../../src/modules/publications/fields.ts'
import type { components } from '../../../api/api.generated.ts'
import { textOf } from '../../../shell/media/tokens.ts'

type Publication = components['schemas']['Publication']

const otherNames = ['lieu', 'images', 'documents', 'recurrence'] as const
const isPlain = (name: (typeof publicationNames)[number]): name is PlainName =>
  !(otherNames as readonly string[]).includes(name)
export const plainNames = publicationNames.filter(isPlain)
/** The parts of the place, as the service names them in its errors. */
export const placeNames = ['lieu.nom', 'lieu.adresse', 'lieu.latitude', 'lieu.longitude'] as const
export const mediaNames = ['images', 'documents'] as const
export const contentNames = [...plainNames, ...placeNames, ...mediaNames, 'recurrence'] as const

export type PlainName = Exclude<(typeof publicationNames)[number], (typeof otherNames)[number]>
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

export const namesThatDiffer = (content: Content, before: Content) =>
  contentNames.filter((name) => content[name] !== before[name])
