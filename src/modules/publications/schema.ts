import Type, { type Static } from 'typebox'
import { pagingQuery, publicPerPage } from '../../platform/http/paging.ts'
import { DateOnly, Id, nullable, oneOf, Timestamp, text } from '../../platform/http/schemas.ts'

export const moderationStatuses = ['pending', 'approved', 'published', 'rejected'] as const
export type ModerationStatus = (typeof moderationStatuses)[number]

export const ById = Type.Object({ id: Id('Identifier of the publication') })

export const ByActeur = Type.Object({ acteurId: Id('Identifier of the acteur') })
export const ByCommune = Type.Object({ communeId: Id('Identifier of the commune') })

/** What any list of publications can be filtered by. */
export const contentFilters = {
  q: Type.Optional(
    text(200, {
      description: 'Words of title and body, whatever accents and endings; the last may be a beginning',
      examples: ['pomme'],
    }),
  ),
  commune_id: Type.Optional(Id('One of its communes')),
  acteur_id: Type.Optional(Id('Its acteur')),
  type_id: Type.Optional(Id('Its type')),
}
export const PublicQuery = Type.Object({
  ...pagingQuery(publicPerPage),
  ...contentFilters,
  date_debut_min: Type.Optional(DateOnly('Its first day is this one or later')),
  date_debut_max: Type.Optional(DateOnly('Its first day is this one or earlier')),
})
export type PublicQuery = Static<typeof PublicQuery>
const { acteur_id: _acteur, ...ofActeur } = PublicQuery.properties
const { commune_id: _commune, ...ofCommune } = PublicQuery.properties
export const PublicQueryOfActeur = Type.Object(ofActeur)
export const PublicQueryOfCommune = Type.Object(ofCommune)

export const PublicationType = Type.Object(
  {
    id: Id(),
    slug: Type.String({ examples: ['evenement'] }),
    libelle: Type.String({ examples: ['Événement'] }),
  },
  { title: 'PublicationType' },
)

const Title = Type.String({ examples: ['Fête de la pomme'] })
const Status = oneOf(moderationStatuses)

/** What anybody may read of a publication. */
export const Publication = Type.Object(
  {
    id: Id(),
    slug: Type.String({ examples: ['fete-de-la-pomme'] }),
    title: Title,
    titre: Title,
    body: Type.String({
      description: 'Plain text, or a small subset of HTML',
      examples: ['<p>Pressage sur la place.</p>'],
    }),
    acteur_id: nullable(Id()),
    acteur: nullable(
      Type.Object(
        {
          id: Id(),
          nom: Type.String({ examples: ['Les Croqueurs de pommes'] }),
          slug: Type.String({ examples: ['croqueurs'] }),
        },
        { title: 'PublicationActeur' },
      ),
    ),
    commune_id: nullable(Id('The first of its communes')),
    commune_ids: Type.Array(Id()),
    type_id: nullable(Id()),
    type: nullable(Type.Object(PublicationType.properties, { title: 'TypeOfPublication' })),
    date_debut: nullable(DateOnly()),
    date_fin: nullable(DateOnly()),
    source_url: nullable(Type.String({ examples: ['https://croqueurs.example/fete'] })),
    image_url: nullable(Type.String({ examples: ['https://croqueurs.example/pomme.jpg'] })),
    epingle: Type.Boolean({ description: "First in its acteur's own list" }),
    status: Status,
    moderation_status: Status,
    valide: Type.Boolean(),
    publie_le: nullable(Timestamp('Null: invisible everywhere')),
    en_avant: Type.Boolean({ description: 'Featured, now' }),
    featured_until: nullable(Timestamp()),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'Publication' },
)
export type Publication = Static<typeof Publication>

/** What members of the acteur, moderators and administrators read besides. */
export const ManagedPublication = Type.Object(
  {
    ...Publication.properties,
    moderation_reason: nullable(Type.String({ examples: ['Hors sujet'] })),
    deleted_at: nullable(Timestamp()),
    reports_open: Type.Integer({ description: 'Open reports of readers', examples: [0] }),
    version: Type.Integer({ examples: [1] }),
  },
  { title: 'ManagedPublication' },
)
export type ManagedPublication = Static<typeof ManagedPublication>
