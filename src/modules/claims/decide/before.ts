import type { MemberRow } from './queries.ts'

/** State that an undo restores. Before a decision, every claim is pending and has no reason. */
export type ClaimBefore = {
  /** True if the claim was rejected because another claim on the acteur was approved. */
  isRival: boolean
  user_id: string | null
  /** The membership that an approval created or changed. */
  member: { userId: string; isNew: boolean; before: MemberRow | null; after: MemberRow } | null
}
