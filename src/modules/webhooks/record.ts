import type { RecordKind } from '../../platform/change.ts'
import { getActeurForUpdate } from '../acteurs/queries.ts'
import { deleteWebhook, getWebhookForUpdate, type Owner, rotateSecret, updateWebhook } from './queries.ts'
import type { Webhook } from './schema.ts'

type Stored = Webhook & { isDeleted?: true }
export type Written = Partial<Webhook> & { paused_until?: null; isDeleted?: true; sealed?: Buffer }

/** A webhook of this owner as an audited record. Its address may hold a password, or name a person. */
export const webhookOf = (owner: Owner) =>
  ({
    entity: 'webhook',
    personal: ['url'],
    async lock(tx, id) {
      // Before the webhook, as in a merge. 404 if the acteur was merged meanwhile.
      if (owner !== null) await getActeurForUpdate(tx, owner)
      return getWebhookForUpdate(tx, owner, id)
    },
    async write(tx, before, { isDeleted, sealed, ...values }) {
      if (sealed !== undefined) return rotateSecret(tx, before.id, sealed)
      if (!isDeleted) return updateWebhook(tx, before.id, values)
      await deleteWebhook(tx, before.id)
      return { ...before, isDeleted }
    },
    auditedValues: ({ isDeleted, ...row }) => (isDeleted ? {} : auditedValues(row)),
  }) satisfies RecordKind<Stored, Written>

export const auditedValues = ({ failures, failing_since, disabled_at, ...values }: Webhook) => values

export const auditedWebhook = webhookOf(null)
