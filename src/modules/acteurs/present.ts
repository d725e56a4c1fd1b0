import { settingsOf } from '../../platform/config.ts'
import type { Deps } from '../../platform/module.ts'
import { paymentsSettings } from '../payments/settings.ts'
import { mapCurrentSubscriptions } from '../payments/subscriptions/queries.ts'
import type { ActeurRow } from './queries.ts'

type Tools = Pick<Deps, 'db' | 'config'>

/** What each has subscribed to, in one statement for all of them. */
export async function withSubscriptions({ db, config }: Tools, rows: ActeurRow[]) {
  const { plans } = settingsOf(config, paymentsSettings)
  const subscriptions = await mapCurrentSubscriptions(
    db,
    rows.map(({ id }) => id),
    plans,
  )
  return rows.map((row) => ({ ...row, subscription: subscriptions.get(row.id) ?? null }))
}

export async function withSubscription(tools: Tools, row: ActeurRow) {
  const [acteur] = await withSubscriptions(tools, [row])
  return acteur ?? { ...row, subscription: null }
}
