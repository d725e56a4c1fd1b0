import type { AuditedKind } from '../../platform/audit/record.ts'

/** Somebody as a whole, under the number of their account. */
export const person = { entity: 'person', personal: [] } satisfies AuditedKind
