import { expect } from 'vitest'
import { sessionKey } from '../../../test/support/factories.ts'
import type { Actor, RouteCalls, Stage } from '../../../test/support/route-calls.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { insertWebhook } from './queries.ts'
import type { WebhookCreate } from './schema.ts'
import { newWebhookSecret, webhookBox } from './secrets.ts'

export function routeCalls({ db, admin, author, club, personal, noted, made }: Stage): RouteCalls {
  const body: WebhookCreate = {
    url: 'https://ville.example/parvis?key=secret',
    types: ['publication.published'],
  }
  const insertEnded = async (webhook_id: string) => {
    const what = {
      webhook_id,
      event: `test:${uuidv7()}`,
      type: 'webhook.test',
      record_id: webhook_id,
      path: '/',
    }
    const times = { at: new Date(), next_at: new Date(), ended_at: new Date() }
    const values = { ...what, ...times, state: 'delivered' }
    return db.insertInto('webhook_deliveries').values(values).returning('id').executeTakeFirstOrThrow()
  }
  const owners: { of: string; at: string; by: Actor; acteur_id?: string }[] = [
    { of: '/admin/webhooks', at: '/admin/webhooks', by: admin },
    {
      of: '/me/acteurs/{acteurId}/webhooks',
      ...{ at: `/me/acteurs/${club.id}/webhooks`, by: author, acteur_id: club.id },
    },
  ]
  const callsOf = ({ of, at, by, acteur_id }: (typeof owners)[number]): RouteCalls => {
    // Tests call with many at once, more than an owner may have.
    const insert = async () => {
      const id = uuidv7()
      const secret = webhookBox([sessionKey]).seal(newWebhookSecret(), id)
      await insertWebhook(db, { id, acteur_id: acteur_id ?? null, ...body, secret })
      return id
    }
    const row = (id: string, action: string, before: object | null, after: object | null) => ({
      ...{ entity: 'webhook', entity_id: id },
      ...noted(action, before, after),
    })
    const stored = { types: body.types, url: personal, ...(acteur_id !== undefined && { acteur_id }) }
    return {
      [`GET ${of}`]: async () => ({ by, path: at }),
      [`POST ${of}`]: async () => ({
        ...{ by, path: at, body },
        rows: [row(made, 'webhook.create', null, { id: expect.any(String), ...stored })],
      }),
      [`GET ${of}/{id}`]: async () => ({ by, path: `${at}/${await insert()}` }),
      [`PATCH ${of}/{id}`]: async () => {
        const id = await insert()
        const rows = [row(id, 'webhook.update', { disabled_reason: null }, { disabled_reason: 'owner' })]
        return { by, path: `${at}/${id}`, body: { enabled: false }, rows }
      },
      [`DELETE ${of}/{id}`]: async () => {
        const id = await insert()
        return { by, path: `${at}/${id}`, rows: [row(id, 'webhook.delete', { id, ...stored }, null)] }
      },
      [`POST ${of}/{id}/rotate`]: async () => {
        const id = await insert()
        const after = { former_until: expect.any(String), rotated: true }
        const rows = [row(id, 'webhook.rotate', { former_until: null }, after)]
        return { by, path: `${at}/${id}/rotate`, rows }
      },
      [`POST ${of}/{id}/test`]: async () => {
        const id = await insert()
        return { by, path: `${at}/${id}/test`, rows: [row(id, 'webhook.test', null, { tested: true })] }
      },
      [`POST ${of}/{id}/deliveries/{deliveryId}/resend`]: async () => {
        const id = await insert()
        const { id: delivery } = await insertEnded(id)
        const rows = [row(id, 'webhook.resend', null, { delivery_id: delivery })]
        return { by, path: `${at}/${id}/deliveries/${delivery}/resend`, rows }
      },
      [`GET ${of}/{id}/deliveries`]: async () => {
        const id = await insert()
        await by.client.post(`${at}/${id}/test`)
        return { by, path: `${at}/${id}/deliveries?state=waiting` }
      },
    }
  }
  return Object.assign({}, ...owners.map(callsOf))
}
