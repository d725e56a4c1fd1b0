import type { RecordKind } from '../../platform/change.ts'
import { type EventRow, getEventForUpdate, updateEvent, type WrittenEvent } from './events/queries.ts'
import {
  getSubscriptionForUpdate,
  type SubscriptionRow,
  setActeur,
  type WrittenActeur,
} from './subscriptions/queries.ts'

/** The payment event as an audited record, for replays and the operator's commands. */
export const paymentEvent = {
  entity: 'payment_event',
  personal: [],
  lock: getEventForUpdate,
  write: (tx, { id }, values) => updateEvent(tx, id, values),
  auditedValues: ({ status }) => ({ status }),
} satisfies RecordKind<EventRow, WrittenEvent>

/** The subscription as an audited record, for changes by administrators. Events change the other fields. */
export const subscription = {
  entity: 'subscription',
  personal: [],
  lock: getSubscriptionForUpdate,
  write: (tx, { id }, values) => setActeur(tx, id, values),
  auditedValues: ({ acteur_id, acteur_set }) => ({ acteur_id, acteur_set }),
} satisfies RecordKind<SubscriptionRow, WrittenActeur>
