import { operator } from '../../src/platform/access/caller.ts'
import { insertSession } from '../../src/platform/access/session-records.ts'
import type { Database } from '../../src/platform/database/connect.ts'

type Options = { hasShownFactor?: boolean; browser?: string }

/** A session of a user, as signing in by mail opens it: its id, and the headers of a request from its browser. */
export async function openSession(
  db: Database,
  userId: string,
  { hasShownFactor = false, browser = 'Firefox, Linux' }: Options = {},
) {
  const client = { network: '192.0.2.0/24', browser, deviceHash: null }
  const { id, value } = await insertSession(db, operator, { userId, method: 'email', hasShownFactor, client })
  return { id, value, headers: { cookie: `parvis_session=${value}`, 'sec-fetch-site': 'same-origin' } }
}
