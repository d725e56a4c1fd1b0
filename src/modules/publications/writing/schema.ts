import Type, { type Static } from 'typebox'
import { DateOnly, Id, nullable, oneOf, text } from '../../../platform/http/schemas.ts'

export const maxCommunes = 50
export const maxTitle = 200
export const maxBody = 20_000

const strict = { additionalProperties: false }

const Title = text(maxTitle, { minLength: 1, description: 'Plain text', examples: ['Fête de la pomme'] })
// What is kept says `&amp;` for `&`: it may be sent back as it was given out.
const Body = text(5 * maxBody, {
  minLength: 1,
  description:
    'Plain text, or a small subset of HTML: paragraphs, links, lists, emphasis, headings. At most 20 000 characters as they are written.',
  examples: ['<p>Pressage sur la place.</p>'],
})
const Url = (example: string) =>
  nullable(text(2_000, { description: 'An http or https address', examples: [example] }))

const optional = {
  commune_id: nullable(Id("The first of its communes; by default the acteur's")),
  commune_ids: Type.Array(Id(), { minItems: 1, maxItems: maxCommunes, description: 'All its communes' }),
  type_id: nullable(Id('One of the publication types')),
  date_debut: nullable(DateOnly('First day')),
  date_fin: nullable(DateOnly('Last day, not before the first')),
  source_url: Url('https://croqueurs.example/fete'),
  image_url: Url('https://croqueurs.example/pomme.jpg'),
}

/** A publication to be, whose acteur is known already. */
export const PublicationCreate = Type.Object(
  {
    title: Type.Optional(Title),
    titre: Type.Optional({ ...Title, description: 'Accepted for `title`: one of the two is needed' }),
    body: Body,
    ...Type.Partial(Type.Object(optional)).properties,
  },
  strict,
)
export type PublicationCreate = Static<typeof PublicationCreate>

export const PublicationCreateAs = Type.Object(
  { acteur_id: Id('The acteur that publishes'), ...PublicationCreate.properties },
  strict,
)

export const PublicationUpdate = Type.Partial(
  Type.Object({
    ...PublicationCreate.properties,
    epingle: Type.Boolean({ description: "First in its acteur's own list", examples: [true] }),
  }),
  strict,
)
export type PublicationUpdate = Static<typeof PublicationUpdate>

export const reportCategories = ['spam', 'inappropriate', 'wrong', 'duplicate', 'other'] as const

/** Lenient: what it does not know it ignores. */
export const ReportBody = Type.Object(
  {
    reason: Type.Optional(text(500, { examples: ['Ce numéro n’existe pas'] })),
    category: Type.Optional(oneOf(reportCategories)),
    message: Type.Optional(text(1_000, { examples: ['La fête a été annulée.'] })),
  },
  { additionalProperties: true },
)
export type ReportBody = Static<typeof ReportBody>

export const Receipt = Type.Object(
  { id: Id('Identifier of the report'), status: oneOf(['received']) },
  { title: 'PublicationReportReceipt' },
)
