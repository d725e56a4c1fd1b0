import { createECDH } from 'node:crypto'
import { sql } from 'kysely'
import { secretBox } from '../../platform/access/secret-box.ts'
import type { Database } from '../../platform/database/connect.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { addressesOf } from './addresses.ts'

/** A key pair that signs requests to push services, as base64url. */
export type PushKeys = { publicKey: string; privateKey: string }
type Row = { id: string; public_key: string; private_key: Buffer }

const boxOf = (sessionKeys: readonly string[]) => secretBox(sessionKeys, 'push keys')

/**
 * Returns the pair that new subscriptions are made with: the newest that SESSION_KEY opens. Makes one if there is none, so a
 * replaced SESSION_KEY, which loses all subscriptions, does not end new ones.
 */
export function ensurePushKeys(db: Database, sessionKeys: readonly string[]): Promise<PushKeys> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('parvis push keys'))`.execute(tx)
    const [newest] = await listPushKeys(tx, sessionKeys)
    if (newest !== undefined) return newest
    const curve = createECDH('prime256v1')
    const publicKey = curve.generateKeys('base64url')
    const privateKey = Buffer.from(curve.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url')
    const id = uuidv7()
    await sql`
      insert into push_keys (id, public_key, private_key, key_id)
      values (${id}, ${publicKey}, ${boxOf(sessionKeys).seal(privateKey, id)}, ${addressesOf(sessionKeys).keyId})`.execute(
      tx,
    )
    return { publicKey, privateKey }
  })
}

/** Lists the pairs that SESSION_KEY opens, the newest first. */
export async function listPushKeys(db: Database, sessionKeys: readonly string[]): Promise<PushKeys[]> {
  const box = boxOf(sessionKeys)
  const { rows } = await sql<Row>`
    select id, public_key, private_key from push_keys order by created_at desc, id desc`.execute(db)
  return rows.flatMap(({ id, public_key, private_key }) => {
    const privateKey = box.open(private_key, id)
    return privateKey === null ? [] : [{ publicKey: public_key, privateKey }]
  })
}

/** Encrypts pairs of a former SESSION_KEY again. Returns how many. */
export function rekeyPushKeys(db: Database, sessionKeys: readonly string[]): Promise<number> {
  const { keyId } = addressesOf(sessionKeys)
  const box = boxOf(sessionKeys)
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<Row>`
      select id, public_key, private_key from push_keys where key_id <> ${keyId} order by id for update`.execute(
      tx,
    )
    let count = 0
    for (const { id, private_key } of rows) {
      const opened = box.open(private_key, id)
      if (opened === null) continue
      await sql`
        update push_keys set private_key = ${box.seal(opened, id)}, key_id = ${keyId} where id = ${id}`.execute(
        tx,
      )
      count += 1
    }
    return count
  })
}
