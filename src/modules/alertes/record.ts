import type { AuditedKind } from '../../platform/audit/record.ts'

/** An alert, which is made and never changes. */
export const alerte = { entity: 'alerte', personal: [] } satisfies AuditedKind
