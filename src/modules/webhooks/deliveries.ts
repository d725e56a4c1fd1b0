import { sql } from 'kysely'
import { equals } from '../../platform/database/conditions.ts'
import { byId } from '../../platform/database/sort-order.ts'
import type { List } from '../../platform/http/listing/list.ts'
import type { DeliveriesQuery, WebhookDelivery } from './schema.ts'
import { shownDelivery } from './sending/queries.ts'

/** The deliveries of a webhook, newest first. */
export const deliveriesList: List<DeliveriesQuery & { webhook_id: string }, WebhookDelivery> = {
  name: 'webhook-deliveries',
  from: sql`webhook_deliveries d`,
  as: 'd',
  filters: { webhook_id: equals('d.webhook_id'), state: equals('d.state') },
  sorts: { at: [{ by: sql`d.at`, type: 'time' }, byId] },
  defaults: { sort: 'at_desc' },
  columns: shownDelivery,
}
