import { deletionAfterMonths } from '../../platform/jobs/sweeps.ts'
import type { Retention } from '../../platform/module.ts'

/** Who got which message, then how many got it. */
export const subscribersRetention: readonly Retention[] = [
  { name: 'deliveries', months: 3, sweep: deletionAfterMonths('broadcast_deliveries', 'status_at', 'ctid') },
  { name: 'broadcasts', months: 24, sweep: deletionAfterMonths('broadcasts', 'created_at') },
]
