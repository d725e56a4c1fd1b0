import { createHmac, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type SecretBox, secretBox } from '../../platform/access/secret-box.ts'
import type { Database } from '../../platform/database/connect.ts'

export const webhookBox = (sessionKeys: readonly string[]): SecretBox =>
  secretBox(sessionKeys, 'webhook secrets')

export const newWebhookSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`

/** Signs a message with each secret, as Standard Webhooks has it. */
export function signatureOf(secrets: readonly string[], id: string, seconds: number, body: string): string {
  const signed = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
      .update(`${id}.${seconds}.${body}`)
      .digest('base64')
  return secrets.map((secret) => `v1,${signed(secret)}`).join(' ')
}

type Row = { id: string; secret: Buffer; former_secret: Buffer | null }

/** Encrypts the secrets of a former SESSION_KEY again. Returns how many no key decrypts. */
export function rekeySecrets(db: Database, sessionKeys: readonly string[]): Promise<number> {
  const [present, all] = [webhookBox(sessionKeys.slice(0, 1)), webhookBox(sessionKeys)]
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<Row>`
      select id, secret, former_secret from webhooks order by id for no key update`.execute(tx)
    let unreadable = 0
    for (const { id, secret, former_secret } of rows) {
      if (present.open(secret, id) !== null) continue
      const [opened, former] = [secret, former_secret].map((box) => (box === null ? null : all.open(box, id)))
      if (typeof opened !== 'string') unreadable += 1
      else
        await sql`
          update webhooks set secret = ${present.seal(opened, id)},
            former_secret = ${typeof former === 'string' ? present.seal(former, id) : null},
            former_until = ${typeof former === 'string' ? sql`former_until` : null}
          where id = ${id}`.execute(tx)
    }
    return unreadable
  })
}
