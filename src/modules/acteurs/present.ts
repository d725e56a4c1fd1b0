import { leftOf } from '../../platform/access/rules.ts'
import { settingsOf } from '../../platform/config.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { Deps } from '../../platform/module.ts'
import { paymentsSettings } from '../payments/settings.ts'
import { mapCurrentSubscriptions } from '../payments/subscriptions/queries.ts'
import { type ActeurRow, mapCommunes } from './queries.ts'
import { acteurActions } from './schema.ts'

type Tools = Pick<Deps, 'db' | 'config'>

/** Adds the commune and the subscription of each acteur, in one statement each for all of them, and what can be done. */
export async function withSubscriptions({ db, config }: Tools, rows: ActeurRow[]) {
  const { plans } = settingsOf(config, paymentsSettings)
  const [subscriptions, communes] = await Promise.all([
    mapCurrentSubscriptions(
      db,
      rows.map(({ id }) => id),
      plans,
    ),
    mapCommunes(
      db,
      rows.flatMap(({ commune_id }) => commune_id ?? []),
    ),
  ])
  return rows.map((row) => ({
    ...row,
    can: leftOf(acteurActions, row),
    commune: (row.commune_id && communes.get(row.commune_id)) || null,
    subscription: subscriptions.get(row.id) ?? null,
  }))
}

export async function withSubscription(tools: Tools, row: ActeurRow) {
  const [acteur] = await withSubscriptions(tools, [row])
  return acteur ?? raise(notFound())
}
