import Type, { type Static } from 'typebox'
import { Id, oneOf, ResponseTimestamp, titled } from '../../../platform/http/validation/schemas.ts'

export const changesPerPage = 100
export const daysKept = 30

export const ChangesQuery = Type.Object({
  since: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: `\`meta.next\` of the response before, or a date-time; the present time gives the \`meta.next\` from which a copy that is read afterwards misses nothing. Default: all that is kept, which is ${daysKept} days. An older one is 422: copy the lists again.`,
      examples: ['2026-11-20T08:30:00.000Z'],
    }),
  ),
  per_page: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: `Changes per response; values above ${changesPerPage} are cut to it. Default: ${changesPerPage}`,
      examples: [50],
    }),
  ),
})
export type ChangesQuery = Static<typeof ChangesQuery>

export const PublicationChange = titled('PublicationChange', {
  id: Id('Identifier of the publication'),
  change: oneOf(
    ['published', 'changed', 'gone'],
    '`published`: it became visible. `changed`: read it again. `gone`: delete the copy.',
  ),
  at: ResponseTimestamp('When it took effect'),
})
export type PublicationChange = Static<typeof PublicationChange>

export const PublicationChanges = Type.Object({
  data: Type.Array(PublicationChange),
  meta: titled('PublicationChangesMeta', {
    next: Type.String({
      description: 'Send it back as `since`, now or later: no change is skipped',
      examples: ['MjAyNi0xMS0yMFQwODozMDowMC4xMjM0NTZaIDQy'],
    }),
    more: Type.Boolean({ description: 'Whether there may be more changes already', examples: [false] }),
  }),
})
