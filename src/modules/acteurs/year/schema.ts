import Type, { type Static } from 'typebox'
import { Id, nullable, ResponseTimestamp, titled } from '../../../platform/http/validation/schemas.ts'

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })

/** Maximum number of publications that are counted. */
export const maxCounted = 10_000

export const ActeurYear = titled('ActeurYear', {
  id: Id(),
  nom: Type.String({ examples: ['Les Croqueurs de pommes'] }),
  created_at: ResponseTimestamp('Since when it is here'),
  members: count('Who may act for it', 2),
  owners: count('Of these, owners', 1),
  publications: titled(
    'ActeurYearPublications',
    {
      created: count(`At most the newest ${maxCounted}`, 14),
      published: count('Accepted and not deleted', 12),
      rejected: count('Rejected', 1),
      reported: count('Reported by readers, whatever became of the reports', 0),
      latest_at: nullable(ResponseTimestamp('When the newest was created')),
    },
    'Created in the last year',
  ),
  claims: titled(
    'ActeurYearClaims',
    {
      created: count('All', 2),
      approved: count('Approved', 1),
      rejected: count('Rejected', 1),
    },
    'Made in the last year',
  ),
})
export type ActeurYear = Static<typeof ActeurYear>
