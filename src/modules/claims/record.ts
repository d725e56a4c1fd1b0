import type { RecordKind } from '../../platform/change.ts'
import { type ClaimRow, type Decided, getClaimForUpdate, updateClaim } from './queries.ts'

/** The claim as an audited record. The state of its mail is not part of it. */
export const claim = {
  entity: 'claim',
  personal: ['nom', 'email', 'telephone', 'message', 'reason'],
  lock: getClaimForUpdate,
  write: (tx, { id }, values) => updateClaim(tx, id, values),
  auditedValues: ({ email_status, email_error, ...row }) => row,
} satisfies RecordKind<ClaimRow, Decided>
