import { leftOf } from '../../platform/access/rules.ts'
import { type Config, settingsOf } from '../../platform/config/config.ts'
import type { Database } from '../../platform/database/connect.ts'
import { notFound, raise } from '../../platform/errors.ts'
import { paymentsSettings } from '../payments/settings.ts'
import { mapCurrentSubscriptions } from '../payments/subscriptions/queries.ts'
import { type ActeurRow, mapCommunes } from './queries.ts'
import { acteurActions } from './schema.ts'

/** Adds commune, subscription and allowed actions to the acteurs, with one statement each for all rows. */
export async function withSubscriptions(db: Database, config: Config, rows: ActeurRow[]) {
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

export async function withSubscription(db: Database, config: Config, row: ActeurRow) {
  const [acteur] = await withSubscriptions(db, config, [row])
  return acteur ?? raise(notFound())
}
