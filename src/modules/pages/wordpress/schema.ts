import Type, { type Static } from 'typebox'
import {
  Id,
  nullable,
  oneOf,
  strictObject,
  textOrNull,
  titled,
} from '../../../platform/http/validation/schemas.ts'

/** The fields of a form, `multipart/form-data`. */
export const WordPressFile = strictObject(
  {
    file: Type.String({
      maxLength: 1_000,
      contentMediaType: 'application/xml',
      description: 'The export of WordPress (WXR) of at most 20 MB and 500 pages',
      examples: ['mairie.WordPress.2027-01-05.xml'],
    }),
    dry_run: Type.Optional(
      Type.Boolean({ description: 'Default: true, which stores nothing', examples: [false] }),
    ),
  },
  { title: 'WordPressFile' },
)

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })

const results = ['created', 'exists', 'skipped'] as const
const reasons = ['trashed', 'empty', 'untitled', 'too_large', 'slug_taken'] as const
const notes = ['flattened', 'parent_left_out', 'slug_changed', 'was_private'] as const
export type Reason = (typeof reasons)[number]
export type Note = (typeof notes)[number]
/** So many addresses are named for each page. */
export const maxImagesNamed = 20
export const maxServersNamed = 20

const ImportedPage = titled('WordPressPage', {
  source_id: Type.String({ description: 'Its number in WordPress', examples: ['42'] }),
  id: nullable(Id('Identifier of the page that was created or exists; null: none, or a dry run')),
  title: Type.String({ examples: ['Cantine'] }),
  slug: textOrNull('cantine'),
  parent_slug: textOrNull('ecole', 'Slug of the page that it stands below; null: at the top'),
  result: oneOf(
    results,
    '`created`: as a draft; in a dry run it would be. `exists`: a page with its slug has its title, or once had it',
  ),
  reason: nullable(
    oneOf(
      reasons,
      'Why it is skipped. `trashed`: in the bin, or never saved; `empty`: no text, and no page below it; `too_large`: its text is too long, or has too much markup',
    ),
  ),
  notes: Type.Array(
    oneOf(
      notes,
      '`flattened`: it was on a third level or deeper; `parent_left_out`: the page above it does not come; `slug_changed`: another page has its slug; `was_private`: it was private, or had a password',
    ),
  ),
  blocks: count('Marks of blocks that were removed; their texts stay', 6),
  shortcodes: count('Shortcodes that were removed; the texts within them stay', 1),
  markup: count('Elements that pages do not have, such as tables; their texts stay', 0),
  images: count('Pictures that were left out: they lie on another server', 1),
  image_urls: Type.Array(Type.String({ examples: ['https://mairie.example/cour.jpg'] }), {
    description: `Addresses of these pictures, at most ${maxImagesNamed}`,
  }),
})
export type ImportedPage = Static<typeof ImportedPage>

export const WordPressImport = titled('WordPressImport', {
  dry_run: Type.Boolean({ examples: [true] }),
  site: textOrNull('https://mairie.example', 'The address of the site that was exported'),
  created: count('Pages that were created, or would be', 12),
  existing: count('Pages that exist', 0),
  skipped: count('Pages that are skipped', 2),
  pages: Type.Array(ImportedPage, { description: 'In the order that the pages get' }),
  others: Type.Array(
    titled('WordPressOthers', {
      type: Type.String({ examples: ['post'] }),
      count: count('How many', 120),
    }),
    { description: 'What the export has besides pages, and is not read' },
  ),
  images: count('Pictures that were left out', 9),
  image_servers: Type.Array(Type.String({ examples: ['mairie.example'] }), {
    description: `Servers that these pictures lie on, at most ${maxServersNamed}`,
  }),
})
export type WordPressImport = Static<typeof WordPressImport>
