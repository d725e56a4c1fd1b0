import { ECDH } from 'node:crypto'
import { sql } from 'kysely'
import { lockDigests, tokenOf } from '../../platform/access/sealed-addresses.ts'
import type { Database } from '../../platform/database/connect.ts'
import { httpsUrl } from '../../platform/fetch/guarded-post.ts'
import type { Deps } from '../../platform/module.ts'
import type { Addresses, BrowserKeys, Contents } from './addresses.ts'
import type { Choice, FollowedPlace } from './choices.ts'
import { proof } from './proving.ts'
import { isPushService } from './settings.ts'
import { findOrInsert, storeChoice } from './subscribing.ts'

/** A browser as its push service names it. */
export type Browser = { endpoint: string; keys: BrowserKeys }

/** What a browser sends of its subscription. */
type Sent = { endpoint?: string; p256dh?: string; auth?: string }

/** Reads what a browser sends; null if no message could be encrypted for it, or its push service is not one of these. */
export function readBrowser(
  { endpoint = '', p256dh = '', auth = '' }: Sent,
  serverKey: string,
  services: readonly string[],
): Browser | null {
  const url = httpsUrl(endpoint)
  if (url === null || !isPushService(url, services) || endpoint.length > maxEndpoint) return null
  if (!/^[\w-]{22}$/.test(auth) || !isPoint(p256dh)) return null
  return { endpoint, keys: { p256dh, auth, serverKey } }
}

const maxEndpoint = 1_000

/** True for an uncompressed point on P-256. */
function isPoint(text: string): boolean {
  if (!/^[\w-]{87}$/.test(text)) return false
  try {
    ECDH.convertKey(text, 'prime256v1', 'base64url', 'base64url', 'uncompressed')
    return Buffer.from(text, 'base64url')[0] === 4
  } catch {
    return false
  }
}

/** Stores and confirms what a browser asked for about a commune or a group. Returns the token of its page. */
export function subscribeBrowser(
  { db, jobs, addresses }: Pick<Deps, 'db'> & { jobs: Pick<Deps['jobs'], 'enqueue'>; addresses: Addresses },
  { endpoint, keys }: Browser,
  place: FollowedPlace,
  choice: Choice,
): Promise<string> {
  return db.transaction().execute(async (tx) => {
    const id = await findOrInsert(tx, addresses, { channel: 'push', address: endpoint, push: keys })
    const { secret, isProven } = await refreshKeys(tx, addresses, id, keys)
    await storeChoice(tx, id, place, choice, { isConfirmed: true })
    if (!isProven) await jobs.enqueue(tx, proof, { subscriberId: id }, { singletonKey: id })
    return tokenOf(id, secret)
  })
}

/** Stores the keys that a browser has now: it may have made new ones for its endpoint. Returns the secret of its link, and whether it is proven. */
async function refreshKeys(
  tx: Database,
  addresses: Addresses,
  id: string,
  push: BrowserKeys,
): Promise<{ secret: string; isProven: boolean }> {
  const { rows } = await sql<{ address: Buffer; is_proven: boolean }>`
    select address, is_proven from resident_subscribers where id = ${id}`.execute(tx)
  const [row] = rows
  const contents = row && addresses.open(id, row.address)
  if (!contents) throw new Error('SESSION_KEY does not decrypt the address of a subscriber')
  await reseal(tx, addresses, id, { ...contents, push })
  return { secret: contents.secret, isProven: row.is_proven }
}

async function reseal(tx: Database, addresses: Addresses, id: string, contents: Contents): Promise<void> {
  const sealed = addresses.seal(id, contents)
  await sql`
    update resident_subscribers set address = ${sealed.address}, address_digest = ${sealed.address_digest},
      key_id = ${sealed.key_id} where id = ${id}`.execute(tx)
}

/**
 * Moves the subscription of a browser to the endpoint and keys that its push service has given it instead. Its page stays where
 * it is. Returns false if there is nothing to move: it has left, or subscribed anew.
 */
export function moveBrowser(
  db: Database,
  addresses: Addresses,
  services: readonly string[],
  { before, ...sent }: Required<Sent> & { before: string },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const digests = [before, sent.endpoint].flatMap((endpoint) => addresses.digests('push', endpoint))
    await lockDigests(tx, digests)
    const subscriber = await findBrowser(tx, addresses, before)
    const other = await findBrowser(tx, addresses, sent.endpoint)
    if (subscriber === null || (other !== null && other.id !== subscriber.id)) return false
    const browser = readBrowser(sent, subscriber.contents.push?.serverKey ?? '', services)
    if (browser === null) return false
    const { endpoint: address, keys: push } = browser
    await reseal(tx, addresses, subscriber.id, { ...subscriber.contents, address, push })
    return true
  })
}

/** Finds the token of the page of a browser; null if it has none. */
export async function findTokenOfBrowser(
  db: Database,
  addresses: Addresses,
  endpoint: string,
): Promise<string | null> {
  const found = await findBrowser(db, addresses, endpoint)
  return found && tokenOf(found.id, found.contents.secret)
}

async function findBrowser(
  db: Database,
  addresses: Addresses,
  endpoint: string,
): Promise<{ id: string; contents: Contents } | null> {
  const { rows } = await sql<{ id: string; address: Buffer }>`
    select id, address from resident_subscribers
    where channel = 'push' and address_digest = any(${addresses.digests('push', endpoint)}::bytea[])`.execute(
    db,
  )
  const [row] = rows
  const contents = row && addresses.open(row.id, row.address)
  return contents ? { id: row.id, contents } : null
}
