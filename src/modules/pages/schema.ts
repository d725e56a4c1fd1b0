import Type, { type Static } from 'typebox'
import {
  Can,
  filledLine,
  Id,
  IdOrSlug,
  line,
  nullable,
  oneOf,
  ResponseTimestamp,
  strictObject,
  strictPartial,
  text,
  textOrNull,
  titled,
} from '../../platform/http/validation/schemas.ts'
import { Document, Image } from '../media/schema.ts'
import { writtenContent } from '../publications/schema.ts'

/** The most pages of a commune; the database bounds them by their position. */
export const maxPages = 200
/** The most former texts of a page. */
export const maxVersions = 20
const maxContacts = 6

export const ByCommune = Type.Object({ communeId: Id('Identifier of the commune') })
export const OfCommune = Type.Object({
  communeId: Id('Identifier of the commune'),
  id: Id('Identifier of the page'),
})
export const OfPage = Type.Object({
  ...OfCommune.properties,
  versionId: Id('Identifier of the former version'),
})
export const PublicById = Type.Object({ id: Id('Identifier of the commune') })
export const PublicBySlug = Type.Object({
  id: Id('Identifier of the commune'),
  page: IdOrSlug('Slug or identifier of the page', 'inscrire-un-enfant-a-l-ecole'),
})

const statuses = ['draft', 'published'] as const

const shared = {
  id: Id(),
  slug: Type.String({ examples: ['ecole'] }),
  title: Type.String({ examples: ['Inscrire un enfant à l’école'] }),
  parent_id: nullable(Id('The page that it stands below; null: at the top')),
}
const body = Type.String({
  description: 'HTML, sanitised; empty for a page that only leads to those below it',
  examples: ['<p>Apportez le livret de famille.</p>'],
})

export const PageContact = titled('PageContact', {
  nom: Type.String({ examples: ['Service scolaire'] }),
  adresse: textOrNull('12 rue des Alpes, 73000 Chambéry'),
  telephone: textOrNull('04 65 71 73 12'),
  email: textOrNull('ecoles@chambery.example'),
})
export type PageContact = Static<typeof PageContact>
const contacts = Type.Array(PageContact, { description: 'Whom to ask' })

/** A page in the public list of a commune. */
export const PageListed = titled('PageListed', { ...shared, updated_at: ResponseTimestamp() })
export type PageListed = Static<typeof PageListed>

const linkFields = { id: Id(), slug: shared.slug, title: shared.title }
const linked = titled('PageLinked', linkFields)
export type PageLinked = Static<typeof linked>

/** A page as the public reads it. */
export const PublicPage = titled('CommunePage', {
  ...shared,
  body,
  images: Type.Array(Image, { description: 'The first is its cover' }),
  documents: Type.Array(Document),
  contacts,
  updated_at: ResponseTimestamp(),
  parent: nullable(titled('NullablePageLinked', linkFields)),
  pages: Type.Array(linked, { description: 'The pages below it, in order' }),
})
export type PublicPage = Static<typeof PublicPage>

/** Columns that are stored in the row of a page, apart from its files. */
export const storedFields = {
  ...shared,
  commune_id: Id(),
  status: oneOf(statuses, '`published`: public, unless it stands below a draft'),
  position: Type.Integer({ description: 'Its place among all pages of the commune', examples: [1] }),
  version: Type.Integer({ examples: [1] }),
  created_at: ResponseTimestamp(),
  updated_at: ResponseTimestamp(),
}
const Stored = Type.Object({ ...storedFields, body, contacts })
export type PageRow = Static<typeof Stored> & { images: string[] | null; documents: string[] | null }

const actions = { edit: true, delete: true }
/** A page in the list of its mairie. */
export const ManagedPageListed = titled('ManagedPageListed', { ...storedFields, can: Can(actions) })
export type ManagedPageListed = Static<typeof ManagedPageListed>

export const ManagedPage = titled('ManagedPage', {
  ...storedFields,
  ...{ body, contacts },
  images: Type.Array(Image, { description: 'The first is its cover' }),
  documents: Type.Array(Document),
  can: Can(actions),
})
export type ManagedPage = Static<typeof ManagedPage>

export const PageVersion = titled('PageVersion', {
  id: Id(),
  title: shared.title,
  body,
  replaced_at: ResponseTimestamp('When another text took its place'),
  can: Can({ restore: true }),
})
export type PageVersion = Static<typeof PageVersion>

const contactLine = (max: number, example: string) =>
  Type.Optional(nullable(line(max, { examples: [example] })))
const ContactBody = strictObject(
  {
    nom: filledLine(200, { examples: ['Service scolaire'] }),
    adresse: contactLine(500, '12 rue des Alpes, 73000 Chambéry'),
    telephone: contactLine(50, '04 65 71 73 12'),
    email: contactLine(254, 'ecoles@chambery.example'),
  },
  { title: 'PageContactBody' },
)
export type ContactBody = Static<typeof ContactBody>

const written = {
  body: text(80_000, {
    description: 'HTML, which is sanitised; empty for a page that only leads to those below it',
    examples: ['<p>Apportez le livret de famille.</p>'],
  }),
  parent_id: nullable(Id('A page of the commune at the top; null: this one is at the top')),
  images: writtenContent.images,
  documents: writtenContent.documents,
  contacts: Type.Array(ContactBody, { maxItems: maxContacts }),
  status: oneOf(statuses, 'A new page is a draft unless it says otherwise'),
}

export const PageCreate = strictObject({
  title: writtenContent.title,
  slug: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
      maxLength: 100,
      description: 'The last part of its address, which never changes. Default: from the title',
      examples: ['ecole'],
    }),
  ),
  ...Type.Partial(Type.Object(written)).properties,
})
export type PageCreate = Static<typeof PageCreate>

export const PageUpdate = strictPartial(
  {
    title: writtenContent.title,
    ...written,
    before: nullable(Id('Moves it before this page of the commune; null: behind all others')),
  },
  { minProperties: 1 },
)
export type PageUpdate = Static<typeof PageUpdate>
