import type { AuditedKind } from '../../../platform/audit/record.ts'

export const appSource = { entity: 'app_source', personal: [] } satisfies AuditedKind
