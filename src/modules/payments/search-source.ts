import { sql } from 'kysely'
import { acteursNamed } from '../../platform/database/search.ts'
import { maxFound, type SearchSource } from '../../platform/search-source.ts'

/** Excludes subscriptions known only from a checkout, which have no status yet. */
export const subscriptionsSearchSource: SearchSource = {
  kind: 'subscription',
  shown: sql`
    select coalesce((select a.nom from acteurs a where a.id = s.acteur_id), s.provider_subscription_id) as label,
      s.status as detail
    from subscriptions s where s.id = found.id and s.status is not null`,
  ways: (q) => [
    { ids: sql`select id from subscriptions where provider_subscription_id = ${q}`, exact: true },
    {
      ids: sql`
        select id from subscriptions where provider_customer_id = ${q} order by id desc limit ${sql.lit(maxFound)}`,
      exact: true,
    },
    {
      ids: sql`
        select id from subscriptions where acteur_id = any(array(${acteursNamed(q, 20)}))
        order by id desc limit ${sql.lit(maxFound)}`,
    },
  ],
}
