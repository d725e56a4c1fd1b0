import Type, { type Static } from 'typebox'
import { Id, nullable, oneOf, titled } from '../../platform/http/validation/schemas.ts'
import { countedKinds } from './kinds.ts'

const ReadingsOfRecord = titled('ReadingsOfRecord', {
  kind: oneOf(countedKinds, '`page`: one that the mairie has written about life in its commune'),
  id: Id('Identifier of the record'),
  title: Type.String({ examples: ['Fête de la pomme'] }),
  last_30_days: Type.Integer({ description: 'Today, in Paris, and the 29 days before', examples: [212] }),
  total: Type.Integer({ description: 'From `since` on', examples: [1_204] }),
})

const ReadingsOfDay = titled('ReadingsOfDay', {
  day: Type.String({ format: 'date', examples: ['2026-11-29'] }),
  count: Type.Integer({ examples: [14] }),
})

export const Readings = titled('Readings', {
  since: nullable(
    Type.String({
      format: 'date',
      description: 'The first day that is still known, for any record; null: nothing was counted yet',
      examples: ['2026-11-29'],
    }),
  ),
  behind_edge: Type.Boolean({
    description:
      'Whether an edge cache answers some readings, which are not counted: the pages are read more often',
    examples: [false],
  }),
  days: Type.Array(ReadingsOfDay, {
    description: 'Of these records together: today, in Paris, and the 29 days before, the oldest first',
  }),
  records: Type.Array(ReadingsOfRecord, {
    description:
      'Pages of the acteur, of its groups and of its communes; then its newest hundred pages and publications that were read, the most read of the last 30 days first',
  }),
})
export type Readings = Static<typeof Readings>
