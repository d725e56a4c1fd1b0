import type { Caller } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { invalid } from '../../../platform/errors.ts'
import { isRealTime, type Position, readCursor, writeCursor } from '../../../platform/http/listing/cursor.ts'
import { restrictionOf } from '../visibility.ts'
import { findLastScanned, listChanges, readSpan, type Span } from './queries.ts'
import { type ChangesQuery, changesPerPage } from './schema.ts'

/**
 * Reads the changes after a cursor. At the end of the feed the next cursor stays at the last change, so that
 * a repeated request gets a 304; after a day without changes it advances, so that it does not expire.
 */
export async function readChanges(db: Database, caller: Caller, { since, per_page }: ChangesQuery) {
  const given = since === undefined ? undefined : positionOf(since)
  if (given === null) throw invalid('since', messages.unreadable)
  const span = await readSpan(db, given?.at ?? null)
  if (span.since !== null && span.since < span.oldest) throw invalid('since', messages.expired)
  const from = startOf(span, given?.id ?? '0')
  const limit = Math.min(per_page ?? changesPerPage, changesPerPage)
  const asked = { from, horizon: span.horizon, communeIds: restrictionOf(caller) }
  const rows = await listChanges(db, asked, limit)
  const data = rows.map(({ id, change, at }) => ({ id, change, at }))
  const last = rows.at(-1)
  const end = last === undefined ? from : { at: last.position_at, id: last.position_id }
  if (rows.length === limit) return pageOf(data, end, true)
  const scanned = await findLastScanned(db, from, span.horizon)
  if (scanned !== null) return pageOf(data, scanned, true)
  return pageOf(data, end.at < span.yesterday ? { at: span.thisHour, id: '0' } : end, false)
}

/** Parses a cursor or a date-time; a date-time is the position before all changes of that time. */
const positionOf = (since: string): Position | null =>
  isRealTime(since) ? { at: since, id: '0' } : readCursor(since, /^\d{1,18}$/)

/**
 * Where to begin. Transactions under way may still add changes after the horizon, so a time beyond it, such as the clock of
 * a client, begins there.
 */
const startOf = ({ since, oldest, horizon }: Span, id: string): Position =>
  since !== null && since > horizon ? { at: horizon, id: '0' } : { at: since ?? oldest, id }

const pageOf = <T>(data: T[], next: Position, more: boolean) => ({
  data,
  meta: { next: writeCursor(next), more },
})

const messages = {
  unreadable: {
    en: 'must be the "next" of a response, or a date-time',
    fr: 'doit être le « next » d’une réponse, ou une date et heure',
  },
  expired: {
    en: 'is older than 30 days: copy the lists again',
    fr: 'remonte à plus de 30 jours : recopiez les listes',
  },
}
