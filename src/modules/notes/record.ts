import type { AuditedKind } from '../../platform/audit/record.ts'

/** A note as an audited record. Its text may be about a person. */
export const note = { entity: 'note', personal: ['body'] } satisfies AuditedKind
