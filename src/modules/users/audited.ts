import type { AuditedKind } from '../../platform/audit/record.ts'

export const userKind = { entity: 'user', personal: ['nom', 'email', 'subject'] } satisfies AuditedKind
export const appSourceKind = { entity: 'app_source', personal: [] } satisfies AuditedKind
