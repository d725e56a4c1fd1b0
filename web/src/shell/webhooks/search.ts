import { defined, oneOf, pageOf, type SearchParams, textOf } from '../lists/search-params.ts'
import type { DeliveryState } from './queries.ts'

export const deliveryStates = ['waiting', 'delivered', 'failed'] as const satisfies readonly DeliveryState[]

/** `webhook`: the open one, by its id; `state` and `page`: of its deliveries. */
export type WebhooksSearch = { webhook?: string; state?: DeliveryState; page?: number }

export const webhooksSearch = ({ webhook, state, page }: SearchParams): WebhooksSearch =>
  defined({ webhook: textOf(webhook), state: oneOf(deliveryStates, state), page: pageOf(page) })
