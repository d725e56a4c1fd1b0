import Type, { type Static } from 'typebox'
import { always } from '../../platform/access/rules.ts'
import { listQuery } from '../../platform/http/listing/paging.ts'
import {
  Can,
  filledLine,
  Id,
  nullable,
  oneOf,
  ResponseTimestamp,
  strictObject,
  strictPartial,
  textOrNull,
  titled,
} from '../../platform/http/validation/schemas.ts'
import { type CutFile, cuts } from './cuts.ts'
import { formats, type Width, widths } from './decoding/decoded.ts'
import { maxAlt, maxNom } from './limits.ts'

export const ById = Type.Object({ id: Id('Identifier of the picture or document') })

/** The last part of the address of a variant. */
export const VariantFile = Type.String({
  pattern: `^((${widths.join('|')})\\.(avif|webp|jpg)|[a-z0-9-]{1,100}\\.pdf)$`,
  description: 'A width and a format; of a document itself, its name',
  examples: ['800.avif'],
})
export const ByVariant = Type.Object({ ...ById.properties, file: VariantFile })
/** A variant, or a picture in another shape. */
export const ByPublicFile = Type.Object({
  ...ById.properties,
  file: Type.Union([VariantFile, oneOf(Object.keys(cuts) as CutFile[])]),
})

const alt = {
  description: 'What it shows, for those who do not see it',
  examples: ['Des étals sous les platanes'],
}
const nom = { description: 'The name under which it is shown', examples: ['Affiche de la fête'] }
const decorative = Type.Boolean({
  description: 'It says nothing that the text does not say',
  examples: [false],
})

const described = {
  alt: nullable(filledLine(maxAlt, alt)),
  decorative,
  nom: nullable(filledLine(maxNom, nom)),
}

/** The fields of a form, `multipart/form-data`. */
export const MediaUpload = strictObject(
  {
    file: Type.String({
      maxLength: 1_000,
      contentMediaType: 'application/octet-stream',
      description:
        'A picture as JPEG, PNG, WebP, GIF or AVIF, 12 MB and 50 megapixels at most, or a PDF of 20 MB. Its bytes decide, not its name; nothing of a picture is kept but the pixels, and a PDF as it is',
      examples: ['marche.jpg'],
    }),
    acteur_id: Type.Optional(Id('The acteur it belongs to; without one, the administrators')),
    alt: Type.Optional(filledLine(maxAlt, alt)),
    decorative: Type.Optional(decorative),
    nom: Type.Optional(filledLine(maxNom, nom)),
  },
  { title: 'MediaUpload' },
)
export type MediaUpload = Static<typeof MediaUpload>

export const MediaUpdate = strictPartial(described, { title: 'MediaUpdate' })
export type MediaUpdate = Static<typeof MediaUpdate>

export const MediaQuery = Type.Object({
  ...listQuery,
  acteur_id: Type.Optional(Id('Only those of this acteur. Default: of all that the caller manages')),
  kind: Type.Optional(oneOf(['image', 'document'])),
  unused: Type.Optional(
    Type.Boolean({ description: 'Only those that no record uses, or that one uses', examples: [true] }),
  ),
})

const address = (format: string) =>
  Type.String({ examples: [`/api/v1/media/0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e/800.${format}`] })
const sources = titled('MediaSources', {
  avif: address('avif'),
  webp: address('webp'),
  jpeg: address('jpg'),
})
export const Src = titled(
  'MediaSrc',
  { 400: sources, 800: Type.Optional(sources), 1600: Type.Optional(sources) },
  'Addresses by width. A width that the next smaller one reaches already is left out: nothing is enlarged',
)
export type Src = Static<typeof Src>

const unscanned = Type.Optional(
  Type.Boolean({
    description: 'It waits for the antivirus: until then the public does not see it. Absent otherwise',
    examples: [true],
  }),
)

/** A picture as a record that uses it shows it. */
export const Image = titled('Image', {
  id: Id(),
  alt: textOrNull('Des étals sous les platanes', alt.description),
  decorative,
  width: Type.Integer({ description: 'Of the largest variant, in pixels', examples: [1600] }),
  height: Type.Integer({ examples: [1200] }),
  src: Src,
  unscanned,
})
export type Image = Static<typeof Image>

/** A document as a record that uses it shows it. */
export const Document = titled('Document', {
  id: Id(),
  nom: Type.String({ description: nom.description, examples: nom.examples }),
  bytes: Type.Integer({ description: 'Size of the file', examples: [214_000] }),
  pages: Type.Integer({ examples: [2] }),
  url: Type.String({
    description: 'The file itself, a PDF',
    examples: ['/media/0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e/affiche-de-la-fete.pdf'],
  }),
  apercu: Src,
  unscanned,
})
export type Document = Static<typeof Document>

export const FoundIn = titled(
  'FoundIn',
  { id: Id(), nom: Type.String({ examples: nom.examples }) },
  'In a list with `q`: the document that has its words, where title, text and place have not all of them',
)

export const Media = titled('Media', {
  id: Id(),
  kind: oneOf(['image', 'document']),
  acteur_id: nullable(Id()),
  alt: textOrNull('Des étals sous les platanes', alt.description),
  decorative,
  nom: textOrNull('Affiche de la fête', nom.description),
  width: nullable(Type.Integer({ description: 'Of the largest variant, in pixels', examples: [1600] })),
  height: nullable(Type.Integer({ examples: [1200] })),
  bytes: Type.Integer({ description: 'Size of all its variants', examples: [412_000] }),
  pages: nullable(Type.Integer({ description: 'Of a document', examples: [null] })),
  url: nullable(Type.String({ description: 'Of a document, the file itself', examples: [null] })),
  src: Src,
  unused_since: nullable(
    ResponseTimestamp(
      'Since when no record uses it, as a daily sweep finds it: it is deleted after 7 days. Null while one does',
    ),
  ),
  unscanned_since: nullable(
    ResponseTimestamp(
      'Since when it waits for the antivirus: until then the public does not see it. Null while it does not wait',
    ),
  ),
  created_at: ResponseTimestamp(),
  updated_at: ResponseTimestamp(),
  version: Type.Integer({ examples: [1] }),
  can: Can({ edit: always, delete: always }),
})
export type Media = Static<typeof Media>

/** Returns the addresses of the variants of a picture, below an address. */
export function srcOf(id: string, width: number, base: string): Src {
  const existing = widths.filter((_, index) => index === 0 || (widths[index - 1] as Width) < width)
  const addresses = (each: Width) =>
    Object.fromEntries(
      formats.map((format) => [format, `${base}/${id}/${each}.${format === 'jpeg' ? 'jpg' : format}`]),
    )
  return Object.fromEntries(existing.map((each) => [each, addresses(each)])) as Src
}
