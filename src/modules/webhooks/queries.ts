import { sql } from 'kysely'
import { columnList } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { notFound, raise } from '../../platform/errors.ts'
import { Webhook } from './schema.ts'

const columns = columnList(Webhook.properties)

/** The acteur that webhooks belong to. Null: the platform. */
export type Owner = string | null
const isOf = (owner: Owner) => sql<boolean>`acteur_id is not distinct from ${owner}::uuid`

/** More webhooks than an acteur needs, and few enough for a list without pages. */
export const maxWebhooks = 10

/** Lists the webhooks of an owner, newest first. A merge may have brought more than one may create. */
export async function listWebhooks(db: Database, owner: Owner): Promise<Webhook[]> {
  const { rows } = await sql<Webhook>`
    select ${columns} from webhooks where ${isOf(owner)} order by id desc limit 100`.execute(db)
  return rows
}

export async function countWebhooks(db: Database, owner: Owner): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhooks where ${isOf(owner)}`.execute(db)
  return rows[0]?.count ?? 0
}

export async function getWebhook(db: Database, owner: Owner, id: string): Promise<Webhook> {
  const { rows } = await sql<Webhook>`
    select ${columns} from webhooks where id = ${id} and ${isOf(owner)}`.execute(db)
  return rows[0] ?? raise(notFound())
}

export async function getWebhookForUpdate(tx: Database, owner: Owner, id: string): Promise<Webhook> {
  const { rows } = await sql<Webhook>`
    select ${columns} from webhooks where id = ${id} and ${isOf(owner)} for no key update`.execute(tx)
  return rows[0] ?? raise(notFound())
}

/** Returns the encrypted secret of a webhook; null if it was deleted. */
export async function findSecret(db: Database, id: string): Promise<Buffer | null> {
  const { rows } = await sql<{ secret: Buffer }>`select secret from webhooks where id = ${id}`.execute(db)
  return rows[0]?.secret ?? null
}

type New = Pick<Webhook, 'id' | 'acteur_id' | 'url' | 'types'> & { secret: Buffer }

export async function insertWebhook(
  tx: Database,
  { id, acteur_id, url, types, secret }: New,
): Promise<Webhook> {
  const { rows } = await sql<Webhook>`
    insert into webhooks (id, acteur_id, url, types, secret)
    values (${id}, ${acteur_id}, ${url}, ${types}, ${secret}) returning ${columns}`.execute(tx)
  return rows[0] ?? raise(new Error('no row was inserted'))
}

/** Writes the address, the types and whether it is enabled. Who enables it forgets its failures. */
export async function updateWebhook(
  tx: Database,
  id: string,
  values: Partial<Webhook> & { paused_until?: null },
): Promise<Webhook> {
  await tx.updateTable('webhooks').set(values).where('id', '=', id).execute()
  const { rows } = await sql<Webhook>`select ${columns} from webhooks where id = ${id}`.execute(tx)
  return rows[0] ?? raise(notFound())
}

/** Replaces the secret; the former one signs too for a day. */
export async function rotateSecret(tx: Database, id: string, secret: Buffer): Promise<Webhook> {
  const { rows } = await sql<Webhook>`
    update webhooks set former_secret = secret, former_until = now() + interval '1 day', secret = ${secret}
    where id = ${id} returning ${columns}`.execute(tx)
  return rows[0] ?? raise(notFound())
}

export async function deleteWebhook(tx: Database, id: string): Promise<void> {
  await sql`delete from webhooks where id = ${id}`.execute(tx)
}

/** Writes what is already scheduled, for webhooks that did not hear of it when it was. */
export async function recordScheduled(tx: Database): Promise<void> {
  await sql`
    select record_event_of_publication(id) from publication_changes where is_scheduled and at > now()`.execute(
    tx,
  )
  await sql`select record_event_of_alerte(id) from alerte_changes where is_scheduled and at > now()`.execute(
    tx,
  )
}
