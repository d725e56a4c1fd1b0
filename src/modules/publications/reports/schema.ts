import Type, { type Static } from 'typebox'
import { Id, oneOf, text } from '../../../platform/http/schemas.ts'

const reportCategories = ['spam', 'inappropriate', 'wrong', 'duplicate', 'other'] as const

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
