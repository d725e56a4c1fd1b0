import type { AuditedKind } from '../../platform/audit/record.ts'

export const claimKind = {
  entity: 'claim',
  personal: ['nom', 'email', 'telephone', 'message', 'reason'],
} satisfies AuditedKind
