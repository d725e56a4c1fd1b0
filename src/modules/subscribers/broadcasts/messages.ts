import type { Database } from '../../../platform/database/connect.ts'
import { findActualites } from './actualites.ts'
import { findAlerte } from './alertes.ts'
import type { Broadcast, Message } from './broadcast.ts'
import { findCollectes } from './collectes.ts'

/** Reads the message of a broadcast; null if there is nothing to tell any more, which stops the broadcast. */
export function findMessage(db: Database, broadcast: Broadcast, now: Date): Promise<Message | null> {
  if (broadcast.kind === 'actualites') return findActualites(db, broadcast)
  if (broadcast.kind === 'collectes') return findCollectes(db, broadcast, now)
  return findAlerte(db, { ...broadcast, kind: broadcast.kind }, now)
}
