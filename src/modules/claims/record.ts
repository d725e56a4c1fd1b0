import type { RecordKind } from '../../platform/change.ts'
import { type ClaimRow, type Decided, getClaimForUpdate, updateClaim } from './queries.ts'

/** The claim as an audited record. The state of its mails is not part of it, nor is how often the claimant was asked. */
export const claim = {
  entity: 'claim',
  personal: ['nom', 'email', 'telephone', 'message', 'reason', 'question'],
  lock: getClaimForUpdate,
  write: (tx, { id }, values) => updateClaim(tx, id, values),
  auditedValues: ({ email_status, email_error, questions_count, ...row }) => row,
} satisfies RecordKind<ClaimRow, Decided>
