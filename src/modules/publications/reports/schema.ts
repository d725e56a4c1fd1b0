import Type, { type Static } from 'typebox'
import { AnsweredTimestamp, Id, nullable, oneOf, text } from '../../../platform/http/schemas.ts'
import { ManagedPublication } from '../schema.ts'

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

/** What those who moderate read of a report: not who made it. */
export const PublicationReport = Type.Object(
  {
    id: Id(),
    category: nullable(oneOf(reportCategories)),
    reason: nullable(Type.String({ examples: ['Ce numéro n’existe pas'] })),
    message: nullable(Type.String({ examples: ['La fête a été annulée.'] })),
    created_at: AnsweredTimestamp(),
    closed_at: nullable(AnsweredTimestamp('When a decision closed it; null: it is open')),
  },
  { title: 'PublicationReport' },
)
export type PublicationReport = Static<typeof PublicationReport>

export const shownReports = 50

export const ReportedPublication = Type.Object(
  {
    ...ManagedPublication.properties,
    reports: Type.Array(PublicationReport, { description: `Its newest ${shownReports}` }),
  },
  { title: 'ReportedPublication' },
)
