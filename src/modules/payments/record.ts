import type { RecordKind } from '../../platform/change.ts'
import {
  getSubscriptionForUpdate,
  type SubscriptionRow,
  setActeur,
  type WrittenActeur,
} from './subscriptions/queries.ts'

/** The subscription as an audited record, for changes by administrators. Events change the other fields. */
export const subscription = {
  entity: 'subscription',
  personal: [],
  lock: getSubscriptionForUpdate,
  write: (tx, { id }, values) => setActeur(tx, id, values),
  auditedValues: ({ acteur_id, acteur_set }) => ({ acteur_id, acteur_set }),
} satisfies RecordKind<SubscriptionRow, WrittenActeur>
