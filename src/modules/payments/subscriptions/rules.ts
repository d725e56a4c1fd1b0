import type { Caller } from '../../../platform/access/caller.ts'
import { change } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { invalid } from '../../../platform/errors.ts'
import type { Plans } from '../plans.ts'
import { subscription } from '../record.ts'
import * as queries from './queries.ts'
import type { Subscription, SubscriptionUpdate } from './schema.ts'

/** Assigns a subscription to an acteur, which overrides all events until it is cleared. */
export function assignSubscription(
  { db, plans }: { db: Database; plans: Plans },
  caller: Caller,
  id: string,
  { acteur_id }: SubscriptionUpdate,
): Promise<Subscription> {
  const asked = {
    id,
    action: 'subscription.assign',
    read: (tx: Database) => queries.getSubscription(tx, id, plans),
  }
  return change(db, caller, subscription, asked, async (tx) => {
    if (acteur_id !== null && !(await queries.isActeur(tx, acteur_id))) throw invalid('acteur_id', unknown)
    return { acteur_set: acteur_id }
  })
}

const unknown = { en: 'is not a known acteur', fr: 'n’est pas un acteur connu' }
