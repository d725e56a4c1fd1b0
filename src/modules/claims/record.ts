import type { RecordKind } from '../../platform/change.ts'
import { type ClaimRow, type Decided, getClaimForUpdate, updateClaim } from './queries.ts'

/** A claim, as it changes. What becomes of its mail is told by the mail, not by the trail. */
export const claim = {
  entity: 'claim',
  personal: ['nom', 'email', 'telephone', 'message', 'reason'],
  hold: getClaimForUpdate,
  write: (tx, { id }, values) => updateClaim(tx, id, values),
  trailOf: ({ email_status, email_error, ...row }) => row,
} satisfies RecordKind<ClaimRow, Decided>
