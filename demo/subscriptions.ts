import { endEvent } from '../src/modules/payments/effects/queries.ts'
import { applyEvent, EventFault } from '../src/modules/payments/effects/rules.ts'
import { insertEvent, newEvent } from '../src/modules/payments/inbox/rules.ts'
import type { SubscriptionStatus } from '../src/modules/payments/kinds.ts'
import { sampleInvoice, sampleSubscription } from '../src/modules/payments/sample.ts'
import type { Database } from '../src/platform/database/connect.ts'
import { mapIds, readData } from './data.ts'
import { type Moment, moment, moments } from './times.ts'

export type DemoSubscription = {
  /** Slug of the acteur; null if the provider does not name one. */
  acteur: string | null
  price: string
  status: SubscriptionStatus
  times: { created_at: Moment; period_end: Moment }
}

/**
 * Creates subscriptions in several statuses, each through a provider event; one invoice is paid. One event, an example,
 * fails: its status is unknown.
 */
export async function insertDemoSubscriptions(db: Database, now: Date): Promise<void> {
  const acteurs = await mapIds(db, 'acteurs', 'slug')
  const all = await readData<DemoSubscription[]>('content/subscriptions.json')
  const events = all.flatMap(({ acteur, price, status, times }, index) => {
    const acteurId = acteur === null ? null : acteurs.get(acteur)
    if (acteurId === undefined) return []
    const { created_at: createdAt, period_end: periodEnd } = moments(times, now)
    const ids = { subscription: `sub_demo_${index + 1}`, customer: `cus_demo_${index + 1}` }
    return {
      at: createdAt,
      event: sampleSubscription({ ...ids, status, price, acteurId, createdAt, periodEnd }),
    }
  })
  events.sort((one, other) => one.at.getTime() - other.at.getTime())
  for (const { at, event } of [...events, faultyExample(now), { at: now, event: sampleInvoice(now) }]) {
    await insertEvent(db, { ...newEvent(event, at), received_at: at })
    try {
      await applyEvent(db, event.id)
    } catch (error) {
      if (!(error instanceof EventFault)) throw error
      await endEvent(db, event.id, 'failed', error.message)
    }
  }
}

/** An event that the service cannot apply, as after a change at the provider. */
function faultyExample(now: Date) {
  const at = moment({ hours: -5 }, now)
  const ids = { subscription: 'sub_exemple_echec', customer: 'cus_exemple_echec' }
  const times = { createdAt: at, periodEnd: moment({ days: 25 }, now) }
  const event = sampleSubscription({
    ...{ ...ids, ...times, price: 'commerce', acteurId: null },
    status: 'exemple' as SubscriptionStatus,
  })
  return { at, event: { ...event, id: 'evt_exemple_echec' } }
}
