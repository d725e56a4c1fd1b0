import { sql } from 'kysely'
import type { SignedIn, User } from '../../platform/access/caller.ts'
import { change, create } from '../../platform/change.ts'
import { type Config, settingsOf } from '../../platform/config/config.ts'
import type { Database } from '../../platform/database/connect.ts'
import { conflict, conflictOf, invalid, raise } from '../../platform/errors.ts'
import { isPrivateHost } from '../../platform/fetch/addresses.ts'
import { httpsUrl } from '../../platform/fetch/guarded-post.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { Deps } from '../../platform/module.ts'
import { getActeur, getActeurForUpdate } from '../acteurs/queries.ts'
import { requireRightOver } from '../espace/access.ts'
import { listMembershipsNow } from '../espace/team/queries.ts'
import { importsSettings } from '../imports/settings.ts'
import { webhookRules } from './permissions.ts'
import {
  countWebhooks,
  findSecret,
  insertWebhook,
  maxWebhooks,
  type Owner,
  recordScheduled,
} from './queries.ts'
import { auditedValues, type Written, webhookOf } from './record.ts'
import {
  type NewWebhook,
  officeTypes,
  type Webhook,
  type WebhookCreate,
  type WebhookUpdate,
} from './schema.ts'
import { newWebhookSecret, webhookBox } from './secrets.ts'
import { enqueueSending } from './sending/jobs.ts'
import { getDelivery, insertTest, sendAgain } from './sending/queries.ts'

type Tools = Pick<Deps, 'db' | 'jobs' | 'config'>
type Named = { owner: Owner; id: string }

/** Requires the right over the webhooks of an acteur. Those of the platform are guarded by their area. */
export async function requireManager(db: Database, user: User, owner: Owner): Promise<void> {
  if (owner !== null) requireRightOver(user, await getActeur(db, owner), webhookRules.manage)
}

/** The same by what the database says now, so that somebody who was removed meanwhile is refused. */
async function requireManagerNow(tx: Database, { user }: SignedIn, owner: Owner): Promise<void> {
  if (owner === null) return
  await requireManager(tx, { ...user, memberships: await listMembershipsNow(tx, user.id) }, owner)
}

/**
 * Creates a webhook and returns its secret. The response is stored for retries without the secret, which a retry reads
 * where it is encrypted; 409 if the webhook was deleted since.
 */
export async function createWebhook(
  { db, jobs, config }: Tools,
  caller: SignedIn,
  owner: Owner,
  body: WebhookCreate,
): Promise<NewWebhook> {
  requireSendable(config, owner, body)
  const box = webhookBox(config.sessionKeys)
  const kind = { entity: 'webhook', personal: ['url'], auditedValues }
  const authorise = async (tx: Database) => {
    // Concurrent requests count each other's webhooks.
    if (owner === null) await sql`select pg_advisory_xact_lock(hashtext('parvis webhooks'))`.execute(tx)
    else await getActeurForUpdate(tx, owner)
    await requireManagerNow(tx, caller, owner)
  }
  const asked = { action: 'webhook.create', authorise }
  const row = await create(db, caller, kind, asked, async (tx) => {
    if ((await countWebhooks(tx, owner)) >= maxWebhooks) throw conflictOf(tooMany)
    const id = uuidv7()
    const sealed = box.seal(newWebhookSecret(), id)
    const made = await insertWebhook(tx, { id, acteur_id: owner, ...body, secret: sealed })
    await recordScheduled(tx)
    await enqueueSending(tx, jobs)
    return made
  })
  const sealed = await findSecret(db, row.id)
  return { ...row, secret: (sealed && box.open(sealed, row.id)) ?? raise(conflict()) }
}

/** Requires an address that is posted to, and types that the owner may hear of. */
function requireSendable(config: Config, owner: Owner, { url, types }: Partial<WebhookCreate>): void {
  const parsed = url === undefined ? undefined : httpsUrl(url)
  if (parsed === null) throw invalid('url', notHttps)
  // Sending checks the addresses of a name, at each message.
  if (parsed && !settingsOf(config, importsSettings).allowPrivate && isPrivateHost(parsed.hostname))
    throw invalid('url', notPublic)
  if (owner !== null && types?.some((type) => officeTypes.includes(type))) throw invalid('types', ofOffice)
}

const notHttps = {
  en: 'must be an https URL without a user name or password',
  fr: 'doit être une adresse https sans nom d’utilisateur ni mot de passe',
}
const notPublic = {
  en: 'must not name this machine or a private network',
  fr: 'ne doit désigner ni cette machine ni un réseau privé',
}
const ofOffice = { en: 'contains a type of the back-office', fr: 'contient un type réservé au back-office' }
const tooMany = {
  en: `There are ${maxWebhooks} webhooks: delete one first.`,
  fr: `Il y a déjà ${maxWebhooks} webhooks : supprimez-en un d’abord.`,
}

const asked = (caller: SignedIn, { owner, id }: Named, action: string) => ({
  id,
  action,
  authorise: (tx: Database) => requireManagerNow(tx, caller, owner),
})

/** Changes the address, the types or whether it is enabled. Once enabled, it has not failed. */
export function updateWebhook(
  { db, jobs, config }: Tools,
  caller: SignedIn,
  named: Named,
  { enabled, ...values }: WebhookUpdate,
  now: Date,
): Promise<Webhook> {
  requireSendable(config, named.owner, values)
  return change(
    db,
    caller,
    webhookOf(named.owner),
    asked(caller, named, 'webhook.update'),
    async (tx, before, save) => {
      const isEnabled = before.disabled_at === null
      const row = await save({
        ...values,
        ...(enabled !== undefined && enabled !== isEnabled && stateOf(enabled, now)),
      })
      if (row.disabled_at === null) {
        await recordScheduled(tx)
        await enqueueSending(tx, jobs)
      }
      return row
    },
  )
}

const stateOf = (enabled: boolean, now: Date): Written =>
  enabled
    ? { disabled_at: null, disabled_reason: null, failures: 0, failing_since: null, paused_until: null }
    : { disabled_at: now, disabled_reason: 'owner' }

/** Replaces the secret; messages are signed with the former one too for a day. */
export async function rotateWebhook(
  { db, config }: Tools,
  caller: SignedIn,
  named: Named,
): Promise<NewWebhook> {
  const secret = newWebhookSecret()
  const sealed = webhookBox(config.sessionKeys).seal(secret, named.id.toLowerCase())
  const row = await change(
    db,
    caller,
    webhookOf(named.owner),
    asked(caller, named, 'webhook.rotate'),
    (_tx, _before, save) => save({ sealed }, { after: { rotated: true } }),
  )
  return { ...row, secret }
}

/** Deletes a webhook with its deliveries. Returns it as it last was. */
export function deleteWebhook({ db }: Tools, caller: SignedIn, named: Named): Promise<Webhook> {
  return change(
    db,
    caller,
    webhookOf(named.owner),
    asked(caller, named, 'webhook.delete'),
    async (_tx, before, save) => {
      await save({ isDeleted: true })
      return before
    },
  )
}

/** Sends a message of the type `webhook.test`; 409 for a webhook that is disabled. */
export function testWebhook({ db, jobs }: Tools, caller: SignedIn, named: Named) {
  return change(
    db,
    caller,
    webhookOf(named.owner),
    asked(caller, named, 'webhook.test'),
    async (tx, before, save) => {
      if (before.disabled_at !== null) throw conflictOf(isDisabled)
      await save({}, { after: { tested: true } })
      const delivery = await insertTest(tx, before)
      await enqueueSending(tx, jobs)
      return delivery
    },
  )
}

/** Sends a delivery that has ended again; 409 for one that waits, and for a webhook that is disabled. */
export function resendDelivery(
  { db, jobs }: Tools,
  caller: SignedIn,
  { deliveryId, ...named }: Named & { deliveryId: string },
) {
  return change(
    db,
    caller,
    webhookOf(named.owner),
    asked(caller, named, 'webhook.resend'),
    async (tx, before, save) => {
      await getDelivery(tx, before.id, deliveryId)
      if (before.disabled_at !== null) throw conflictOf(isDisabled)
      const delivery = await sendAgain(tx, before.id, deliveryId)
      if (delivery === null) throw conflict()
      await save({}, { after: { delivery_id: delivery.id } })
      await enqueueSending(tx, jobs)
      return delivery
    },
  )
}

const isDisabled = { en: 'This webhook is disabled.', fr: 'Ce webhook est désactivé.' }
