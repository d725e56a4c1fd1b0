import type { ClaimView } from './queries.admin.ts'
import type { Claim } from './schema.ts'

export function presentClaim({ ended_at, updated_at, overdue, ...row }: ClaimView): Claim {
  const status = (overdue ? 'expired' : row.status) as Claim['status']
  const isDecided = status === 'approved' || status === 'rejected'
  return {
    ...row,
    status,
    decided_at: isDecided ? (ended_at?.toISOString() ?? null) : null,
    email_status: row.email_status as Claim['email_status'],
    created_at: row.created_at.toISOString(),
  }
}
