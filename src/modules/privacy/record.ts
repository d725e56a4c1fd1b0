import type { AuditedKind } from '../../platform/audit/record.ts'

/** A person as an audited record, under the id of the account. */
export const person = { entity: 'person', personal: [] } satisfies AuditedKind
