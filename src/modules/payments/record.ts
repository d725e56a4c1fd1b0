import type { AuditedKind } from '../../platform/audit/record.ts'
import type { RecordKind } from '../../platform/change.ts'
import {
  getSubscriptionForUpdate,
  type SubscriptionRow,
  setActeur,
  type WrittenActeur,
} from './subscriptions/queries.ts'

/** What the operator does with an event that has failed. */
export const paymentEvent = { entity: 'payment_event', personal: [] } satisfies AuditedKind

/** A subscription, as an administrator changes it. The rest is told by events. */
export const subscription = {
  entity: 'subscription',
  personal: [],
  hold: getSubscriptionForUpdate,
  write: (tx, { id }, values) => setActeur(tx, id, values),
  trailOf: ({ acteur_id, acteur_set }) => ({ acteur_id, acteur_set }),
} satisfies RecordKind<SubscriptionRow, WrittenActeur>
