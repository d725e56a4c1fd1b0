import Type, { type Static } from 'typebox'
import { ListPageWith } from '../../../platform/http/listing/list-page.ts'
import { listQuery, several } from '../../../platform/http/listing/paging.ts'
import {
  Id,
  named,
  nullable,
  oneOf,
  ResponseTimestamp,
  text,
  textOrNull,
  titled,
} from '../../../platform/http/validation/schemas.ts'
import { withPresence } from '../../presence/schema.ts'
import { DuplicateKey, officeProperties, reportCategories } from '../office.ts'
import { ManagedPublication } from '../schema.ts'

/** Ignores unknown keys. */
export const ReportBody = Type.Object(
  {
    reason: Type.Optional(text(500, { examples: ['Ce numéro n’existe pas'] })),
    category: Type.Optional(oneOf(reportCategories)),
    message: Type.Optional(text(1_000, { examples: ['La fête a été annulée.'] })),
    email: Type.Optional(
      text(254, {
        description: 'Where the reporter learns what becomes of it. Kept encrypted, shown to nobody',
        examples: ['odile.vauquelin@example.org'],
      }),
    ),
    name: Type.Optional(
      text(200, { description: 'How mails address the reporter', examples: ['Odile Vauquelin'] }),
    ),
  },
  { additionalProperties: true },
)
export type ReportBody = Static<typeof ReportBody>

export const Receipt = titled('PublicationReportReceipt', {
  id: Id('Identifier of the report'),
  status: oneOf(['received']),
})

/** A report as moderators see it, without the reporter. */
export const PublicationReport = titled('PublicationReport', {
  id: Id(),
  category: nullable(oneOf(reportCategories)),
  reason: textOrNull('Ce numéro n’existe pas'),
  message: textOrNull('La fête a été annulée.'),
  created_at: ResponseTimestamp(),
  closed_at: nullable(ResponseTimestamp('When a decision closed it; null: it is open')),
})
export type PublicationReport = Static<typeof PublicationReport>

export const shownReports = 50

export const shownRefusals = 5

const Refusal = titled('Refusal', {
  id: Id(),
  titre: Type.String({ examples: ['Fête de la pomme'] }),
  moderation_reason: textOrNull('Hors sujet'),
  created_at: ResponseTimestamp(),
})
export type Refusal = Static<typeof Refusal>

export const ReportedPublication = withPresence(
  {
    ...officeProperties,
    duplicate_group: nullable(
      DuplicateKey('The `duplicate_key` of its group of suspected duplicates; null: it has none'),
    ),
    rejected_at: nullable(
      ResponseTimestamp(
        'While it waits again after a rejection: when that was, if the audit log still has it',
      ),
    ),
    refusals: Type.Array(Refusal, {
      description: `The newest ${shownRefusals} rejected publications of its acteur, of the last year, itself apart`,
    }),
    reports: Type.Array(PublicationReport, { description: `Its newest ${shownReports}` }),
  },
  'ReportedPublication',
)

export const ReportsQuery = Type.Object({
  ...listQuery,
  category: several(oneOf(reportCategories), 'Of one of these categories'),
})
export type ReportsQuery = Static<typeof ReportsQuery>

/** An open report with its publication. */
export const OpenReport = titled('OpenReport', {
  ...PublicationReport.properties,
  publication: titled('ReportOfPublication', {
    id: Id(),
    title: ManagedPublication.properties.title,
    moderation_status: ManagedPublication.properties.moderation_status,
    acteur: nullable(named('ReportedActeur', 'Les Croqueurs de pommes')),
  }),
})
export type OpenReport = Static<typeof OpenReport>

const categories = Type.Array(
  titled('ReportCategoryCount', {
    category: nullable(oneOf(reportCategories)),
    open: Type.Integer({ examples: [3] }),
  }),
  { description: 'Open reports of each category that has any, whatever the filter' },
)
export const OpenReports = ListPageWith('OpenReportsMeta', { categories }, OpenReport)
export type CategoryCount = Static<typeof categories>[number]
