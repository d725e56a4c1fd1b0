import type { MemberRow } from './queries.ts'

/** State that an undo restores. Every decided claim was pending, without a reason. */
export type ClaimBefore = {
  /** Rejected because another claim on the acteur was approved. */
  isRival: boolean
  user_id: string | null
  /** The membership that an approval made or changed. */
  member: { userId: string; isNew: boolean; before: MemberRow | null; after: MemberRow } | null
}
