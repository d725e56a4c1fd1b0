import type { AuditedKind } from '../../platform/audit/record.ts'

export const alerteKind = { entity: 'alerte', personal: [] } satisfies AuditedKind
