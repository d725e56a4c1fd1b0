import Type, { type Static } from 'typebox'
import { Id, nullable, ResponseTimestamp } from '../../../platform/http/validation/schemas.ts'

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })

/** Maximum number of publications that are counted. */
export const mostCounted = 10_000

export const ActeurYear = Type.Object(
  {
    id: Id(),
    nom: Type.String({ examples: ['Les Croqueurs de pommes'] }),
    created_at: ResponseTimestamp('Since when it is here'),
    members: count('Who may act for it', 2),
    owners: count('Of these, owners', 1),
    publications: Type.Object(
      {
        created: count(`At most the newest ${mostCounted}`, 14),
        published: count('Accepted and not deleted', 12),
        rejected: count('Rejected', 1),
        reported: count('Reported by readers, whatever became of the reports', 0),
        latest_at: nullable(ResponseTimestamp('When the newest was created')),
      },
      { title: 'ActeurYearPublications', description: 'Created in the last year' },
    ),
    claims: Type.Object(
      {
        created: count('All', 2),
        approved: count('Approved', 1),
        rejected: count('Rejected', 1),
      },
      { title: 'ActeurYearClaims', description: 'Made in the last year' },
    ),
  },
  { title: 'ActeurYear' },
)
export type ActeurYear = Static<typeof ActeurYear>
