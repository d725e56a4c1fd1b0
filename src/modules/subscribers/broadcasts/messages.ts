import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import type { Mail } from '../../../platform/mail/mail.ts'
import { findActualites } from './actualites.ts'
import { findAlerte } from './alertes.ts'
import { findCollectes } from './collectes.ts'

/** What a broadcast tells, read anew for each batch: a correction reaches whoever was not sent the former text. */
export type Message = {
  /** Matches choices, as `ch`, that ask for it. */
  asks: RawBuilder<boolean>
  /** Nothing is sent before. */
  startsAt: Date | null
  /** The record of its audit entry, and what the entry says beside the number. */
  audited: { entity: string; entityId: string; after: Record<string, unknown> }
  mailTo(recipient: Recipient): Mail
}
export type Recipient = { id: string; to: string; from: string; site: string; link: string }

export type Broadcast = {
  id: string
  kind: 'alerte' | 'alerte_fin' | 'actualites' | 'collectes'
  author_id: string | null
  alerte_id: string | null
  commune_id: string | null
  day: string | null
  hour: number | null
  secteur: string | null
  publication_ids: string[] | null
}

/** The columns of a broadcast. */
export const broadcastColumns = sql`
  id, kind, author_id, alerte_id, commune_id, day::text as day, hour, secteur, publication_ids`

/** Reads the message of a broadcast; null if there is nothing to tell any more, which stops the broadcast. */
export function findMessage(db: Database, broadcast: Broadcast, now: Date): Promise<Message | null> {
  if (broadcast.kind === 'actualites') return findActualites(db, broadcast)
  if (broadcast.kind === 'collectes') return findCollectes(db, broadcast, now)
  return findAlerte(db, { ...broadcast, kind: broadcast.kind }, now)
}
