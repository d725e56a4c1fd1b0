import type { AuditedKind } from '../../platform/audit/record.ts'

export const communeKind = { entity: 'commune', personal: ['elus', 'infos'] } satisfies AuditedKind
