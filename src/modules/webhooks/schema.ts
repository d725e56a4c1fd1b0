import Type, { type Static } from 'typebox'
import { listQuery } from '../../platform/http/listing/paging.ts'
import {
  Id,
  nullable,
  oneOf,
  ResponseTimestamp,
  strictObject,
  strictPartial,
  titled,
  WebUrl,
} from '../../platform/http/validation/schemas.ts'

/** The events that a webhook can ask for. `.changed`: read the record again. */
export const eventTypes = [
  'publication.published',
  'publication.changed',
  'publication.withdrawn',
  'alerte.published',
  'alerte.changed',
  'alerte.withdrawn',
  'act.published',
  'commune.changed',
  'claim.decided',
] as const

/** A claim is about its claimant, so only the back-office hears of it. */
export const officeTypes: readonly string[] = ['claim.decided']

const url = WebUrl('https://ville.example/parvis', 'Must be https')
const types = Type.Array(oneOf(eventTypes), {
  minItems: 1,
  uniqueItems: true,
  description: 'Those of publications and alertes speak of what the public sees. No acteur hears of claims',
  examples: [['publication.published', 'publication.withdrawn']],
})

export const WebhookCreate = strictObject({ url, types })
export type WebhookCreate = Static<typeof WebhookCreate>
export const WebhookUpdate = strictPartial(
  { url, types, enabled: Type.Boolean({ description: 'Whether events are sent', examples: [true] }) },
  { minProperties: 1 },
)
export type WebhookUpdate = Static<typeof WebhookUpdate>

const fields = {
  id: Id(),
  acteur_id: nullable(Id('The acteur whose records it hears about; null: all records')),
  url: Type.String({ examples: ['https://ville.example/parvis'] }),
  types,
  disabled_at: nullable(ResponseTimestamp()),
  disabled_reason: nullable(
    oneOf(
      ['owner', 'gone', 'failing'],
      '`gone`: its address returned 410. `failing`: no attempt succeeded for three days',
    ),
  ),
  failures: Type.Integer({ description: 'Failed attempts since the last success', examples: [0] }),
  failing_since: nullable(ResponseTimestamp()),
  former_until: nullable(ResponseTimestamp('Until when the secret from before the last rotation signs too')),
  created_at: ResponseTimestamp(),
  version: Type.Integer({ examples: [1] }),
}
export const Webhook = titled('Webhook', fields)
export type Webhook = Static<typeof Webhook>
export const NewWebhook = titled('NewWebhook', {
  ...fields,
  secret: Type.String({
    description: 'Shown once: it is stored encrypted',
    examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  }),
})
export type NewWebhook = Static<typeof NewWebhook>

const deliveryStates = ['waiting', 'delivered', 'failed'] as const
export const WebhookDelivery = titled('WebhookDelivery', {
  id: Id('Sent as `webhook-id` in each attempt'),
  type: oneOf([...eventTypes, 'webhook.test']),
  record_id: Id('The publication, alerte, act, commune or claim'),
  at: ResponseTimestamp('When it took effect, or will'),
  state: oneOf(deliveryStates),
  attempts: Type.Integer({ examples: [1] }),
  status: nullable(Type.Integer({ description: 'HTTP status of the last attempt', examples: [204] })),
  problem: nullable(
    Type.String({ description: 'Why the last attempt got no status', examples: ['timeout'] }),
  ),
  duration_ms: nullable(Type.Integer({ examples: [120] })),
  next_at: nullable(ResponseTimestamp('The next attempt, while it waits')),
  ended_at: nullable(ResponseTimestamp()),
})
export type WebhookDelivery = Static<typeof WebhookDelivery>

export const ById = Type.Object({ id: Id() })
export const ByActeur = Type.Object({ acteurId: Id() })
export const ByDelivery = Type.Object({ id: Id(), deliveryId: Id() })
export const ByActeurAndDelivery = Type.Object({ acteurId: Id(), id: Id(), deliveryId: Id() })
export const ByActeurAndId = Type.Object({ acteurId: Id(), id: Id() })

export const DeliveriesQuery = Type.Object({
  ...listQuery,
  state: Type.Optional(oneOf(deliveryStates)),
})
export type DeliveriesQuery = Static<typeof DeliveriesQuery>
