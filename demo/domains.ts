import { randomBytes } from 'node:crypto'
import type { Database } from '../src/platform/database/connect.ts'
import { uuidv7 } from '../src/platform/formats/uuid.ts'
import { mapIds } from './data.ts'

/** Gives Chambéry a proven domain that leads to this machine, where the service runs on it. */
export async function insertDemoDomains(db: Database, publicUrl: string, now: Date): Promise<void> {
  const commune_id = (await mapIds(db, 'communes', 'slug')).get('chambery')
  if (commune_id === undefined || new URL(publicUrl).hostname !== 'localhost') return
  const token = randomBytes(32).toString('base64url')
  await db
    .insertInto('domains')
    .values({ id: uuidv7(), host: 'chambery.localhost', commune_id, token, verified_at: now })
    .onConflict((known) => known.column('host').doNothing())
    .execute()
}
