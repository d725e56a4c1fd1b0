import type { AuditedKind } from '../../platform/audit/record.ts'

export const publicationKind = { entity: 'publication', personal: [] } satisfies AuditedKind
export const reportKind = {
  entity: 'publication_report',
  personal: ['reason', 'message', 'caller_key'],
} satisfies AuditedKind
