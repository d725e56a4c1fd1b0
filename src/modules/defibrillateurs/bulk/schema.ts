import Type, { type Static } from 'typebox'
import { BulkResults, bulkIds, bulkVersions } from '../../../platform/http/bulk.ts'
import { strictObject, textOrNull } from '../../../platform/http/validation/schemas.ts'
import { StatutBody } from '../schema.ts'

export const BulkStatut = strictObject({
  ...bulkIds,
  ...StatutBody.properties,
  ...bulkVersions,
})
export type BulkStatut = Static<typeof BulkStatut>

export const BulkAnswer = BulkResults(
  { result: 'DefibrillateurBulkResult', answer: 'DefibrillateurBulkAnswer' },
  Type.Object(
    {
      statut_admin: StatutBody.properties.statut_admin,
      note: textOrNull('Vu sur place le 12 mai'),
    },
    { description: 'What it was before this change, of the national level' },
  ),
)
export type BulkAnswer = Static<typeof BulkAnswer>
