import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { components, operations } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'
import { atVersion, ifMatch } from '../../api/versions.ts'

export type Webhook = components['schemas']['Webhook']
export type Delivery = components['schemas']['WebhookDelivery']
export type EventType = Webhook['types'][number]
export type DeliveryState = Delivery['state']
type NewWebhook = Webhook & { secret: string }
type Values = operations['createWebhook']['requestBody']['content']['application/json']
type Changes = operations['updateWebhook']['requestBody']['content']['application/json']

/** The acteur that webhooks belong to; null: the platform. */
export type Owner = string | null

const ofPlatform = '/api/v1/admin/webhooks'
const ofActeur = '/api/v1/me/acteurs/{acteurId}/webhooks'

export const webhooksQuery = (acteurId: Owner) =>
  queryOptions({
    queryKey: ['webhooks', acteurId],
    queryFn: async ({ signal }): Promise<Webhook[]> =>
      acteurId === null
        ? (await got(api.GET(ofPlatform, { signal }))).data
        : (await got(api.GET(ofActeur, { signal, params: { path: { acteurId } } }))).data,
  })

export const perPage = 25
const soonMs = 3_000

type Filter = { state: DeliveryState | undefined; page: number }

/** What a webhook was sent in the last 30 days, the newest first. Read again while some of it is on its way. */
export const deliveriesQuery = (acteurId: Owner, id: string, { state, page }: Filter) =>
  queryOptions({
    queryKey: ['webhooks', acteurId, id, 'deliveries', { state, page }],
    queryFn: ({ signal }) => {
      const query = { page, per_page: perPage, ...(state && { state }) }
      return acteurId === null
        ? got(api.GET(`${ofPlatform}/{id}/deliveries`, { signal, params: { path: { id }, query } }))
        : got(api.GET(`${ofActeur}/{id}/deliveries`, { signal, params: { path: { acteurId, id }, query } }))
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.data.some(isWaiting) ? soonMs : false),
  })

const isWaiting = ({ state }: Delivery) => state === 'waiting'

export async function createWebhook(acteurId: Owner, body: Values): Promise<NewWebhook> {
  return acteurId === null
    ? (await got(api.POST(ofPlatform, { body }))).data
    : (await got(api.POST(ofActeur, { params: { path: { acteurId } }, body }))).data
}

type Seen = Pick<Webhook, 'id' | 'acteur_id' | 'version'>

/** Parameters of a change of the webhook of an acteur in the version that the user saw. */
const at = (acteurId: string, { id, version }: Seen) => ({
  path: { acteurId, id },
  header: ifMatch(version),
})

export async function updateWebhook(seen: Seen, body: Changes): Promise<Webhook> {
  const { acteur_id } = seen
  return acteur_id === null
    ? (await got(api.PATCH(`${ofPlatform}/{id}`, { params: atVersion(seen), body }))).data
    : (await got(api.PATCH(`${ofActeur}/{id}`, { params: at(acteur_id, seen), body }))).data
}

export async function deleteWebhook(seen: Seen): Promise<Webhook> {
  const { acteur_id } = seen
  return acteur_id === null
    ? (await got(api.DELETE(`${ofPlatform}/{id}`, { params: atVersion(seen) }))).data
    : (await got(api.DELETE(`${ofActeur}/{id}`, { params: at(acteur_id, seen) }))).data
}

/** Replaces the secret; the former one signs too for a day. Returns the webhook with the new one. */
export async function rotateWebhook(seen: Seen): Promise<NewWebhook> {
  const { acteur_id } = seen
  return acteur_id === null
    ? (await got(api.POST(`${ofPlatform}/{id}/rotate`, { params: atVersion(seen) }))).data
    : (await got(api.POST(`${ofActeur}/{id}/rotate`, { params: at(acteur_id, seen) }))).data
}

export async function testWebhook({ acteur_id, id }: Seen): Promise<Delivery> {
  return acteur_id === null
    ? (await got(api.POST(`${ofPlatform}/{id}/test`, { params: { path: { id } } }))).data
    : (await got(api.POST(`${ofActeur}/{id}/test`, { params: { path: { acteurId: acteur_id, id } } }))).data
}

export async function resendDelivery({ acteur_id, id }: Seen, deliveryId: string): Promise<Delivery> {
  if (acteur_id === null) {
    const params = { path: { id, deliveryId } }
    return (await got(api.POST(`${ofPlatform}/{id}/deliveries/{deliveryId}/resend`, { params }))).data
  }
  const params = { path: { acteurId: acteur_id, id, deliveryId } }
  return (await got(api.POST(`${ofActeur}/{id}/deliveries/{deliveryId}/resend`, { params }))).data
}
