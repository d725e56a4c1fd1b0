import Type, { type Static } from 'typebox'
import {
  Can,
  Id,
  NullableUserName,
  named,
  nullable,
  oneOf,
  ResponseTimestamp,
  titled,
} from '../../../platform/http/validation/schemas.ts'
import { publicationActions } from '../decisions/states.ts'
import { ManagedPublication } from '../schema.ts'

export const reportCategories = ['spam', 'inappropriate', 'wrong', 'duplicate', 'other'] as const

/** Limit on the publications of an acteur's last year that `ActeurRecord` counts. */
export const recordedPublications = 200

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })

export const ActeurRecord = titled(
  'PublicationActeurRecord',
  {
    published: count('Accepted and not deleted', 12),
    rejected: count('Rejected', 1),
    reported: count('Reported by readers, whatever became of the reports', 0),
  },
  `What became of its acteur's newest ${recordedPublications} publications of the last year; null without an acteur`,
)
export type ActeurRecord = Static<typeof ActeurRecord>

const ReportsSummary = titled('ReportsSummary', {
  open: count('Open reports', 2),
  categories: Type.Array(oneOf(reportCategories), { description: 'What the open ones say' }),
  latest_at: nullable(ResponseTimestamp('The newest open one')),
})

const Source = named('PublicationSource', 'Agenda de la médiathèque', 'The import source it comes from')

const office = {
  created_by: nullable(Id('Who wrote it; null: an import')),
  created_by_user: NullableUserName,
  source: nullable(Source),
  reports_summary: ReportsSummary,
}

export const DuplicateKey = (description: string) =>
  Type.String({
    description,
    pattern: '^[us]:[0-9a-f]{32}$',
    examples: ['s:6f1ed002ab5595859014ebf0951522d9'],
  })

/** Fields of the back-office's rows and single records, as selected from the database. */
export const OfficeFields = Type.Object({ ...ManagedPublication.properties, ...office })
export type OfficeFields = Static<typeof OfficeFields>

export const officeProperties = {
  ...OfficeFields.properties,
  record: nullable(ActeurRecord),
  can: Can(publicationActions),
}
