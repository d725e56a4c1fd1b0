import { deletionAfterMonths } from '../../platform/jobs/sweeps.ts'
import type { Retention } from '../../platform/module.ts'

/** Deletes deliveries, which say who got which message, then broadcasts, which count them. */
export const subscribersRetention: readonly Retention[] = [
  { name: 'deliveries', months: 3, sweep: deletionAfterMonths('broadcast_deliveries', 'status_at', 'ctid') },
  { name: 'broadcasts', months: 24, sweep: deletionAfterMonths('broadcasts', 'created_at') },
]
