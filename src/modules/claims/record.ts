import type { RecordKind } from '../../platform/change.ts'
import { type ClaimDecision, type ClaimRow, getClaimForUpdate, updateClaim } from './queries.ts'

/** The claim as an audited record, without its reference, the state of its mails and the number of questions. */
export const claim = {
  entity: 'claim',
  personal: ['nom', 'email', 'telephone', 'message', 'reason', 'question'],
  lock: getClaimForUpdate,
  write: (tx, { id }, values) => updateClaim(tx, id, values),
  auditedValues: ({ reference, email_status, email_error, questions_count, ...row }) => row,
} satisfies RecordKind<ClaimRow, ClaimDecision>
