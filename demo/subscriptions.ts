import { applyEvent } from '../src/modules/payments/effects/rules.ts'
import { insertEvent } from '../src/modules/payments/inbox/queries.ts'
import { newEvent } from '../src/modules/payments/inbox/rules.ts'
import type { SubscriptionStatus } from '../src/modules/payments/kinds.ts'
import { sampleInvoice, sampleSubscription } from '../src/modules/payments/sample.ts'
import type { Database } from '../src/platform/database/connect.ts'
import { mapIds, readData } from './data.ts'
import { type Moment, moments } from './times.ts'

export type DemoSubscription = {
  /** Slug of the acteur; null if the provider does not name one. */
  acteur: string | null
  price: string
  status: SubscriptionStatus
  times: { created_at: Moment; period_end: Moment }
}

/** Creates subscriptions in several statuses, each through a provider event; one invoice is paid. */
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
  for (const { at, event } of [...events, { at: now, event: sampleInvoice(now) }]) {
    await insertEvent(db, { ...newEvent(event, at), received_at: at })
    await applyEvent(db, event.id)
  }
}
