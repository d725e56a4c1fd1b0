import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import type { MovesOnMerge } from '../../platform/merging.ts'
import { lockEffects } from './effects/queries.ts'

/** Moves customers and subscriptions of a merged acteur, under the lock that serialises effects of events. */
export const moveSubscriptions: MovesOnMerge = async (tx, _deps, { from, into }, limit) => {
  if (!(await hasSome(tx, from))) return 0
  await lockEffects(tx)
  const customers = await sql`
    update payment_customers set acteur_id = ${into} where id = any(array(
      select id from payment_customers where acteur_id = ${from} limit ${limit}))
    returning id`.execute(tx)
  const moved = (column: string) =>
    sql`${sql.ref(column)} = case when ${sql.ref(column)} = ${from} then ${into}::uuid else ${sql.ref(column)} end`
  const subscriptions = await sql`
    update subscriptions set ${sql.join(columns.map(moved))} where id = any(array(
      select id from subscriptions where ${refersTo(from)} limit ${limit}))
    returning id`.execute(tx)
  return customers.rows.length + subscriptions.rows.length
}

const columns = ['acteur_id', 'acteur_set', 'acteur_said', 'acteur_of_checkout']

const refersTo = (acteurId: string) =>
  sql.join(
    columns.map((column) => sql`${sql.ref(column)} = ${acteurId}`),
    sql` or `,
  )

async function hasSome(tx: Database, acteurId: string): Promise<boolean> {
  const { rows } = await sql`
    (select from payment_customers where acteur_id = ${acteurId} limit 1)
    union all (select from subscriptions where ${refersTo(acteurId)} limit 1)`.execute(tx)
  return rows.length > 0
}
