import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import type { Deps } from '../../../platform/module.ts'
import type { AlerteKind } from './broadcast.ts'
import { monthsOfDeliveries, stop } from './deliveries.ts'
import { alertesFirst, expandBroadcast } from './expand-job.ts'

/** The one entry for alertes: each function runs in the transaction of the change. */
type Tools = Pick<Deps, 'jobs' | 'config'>
type Told = { id: string; niveau: string; debut: Date | null; fin: Date | null; commune_ids: string[] }
/** What a change tells besides, if that was asked for. `isChanged`: the text or the times are other ones than before. */
type Telling = {
  end: boolean
  correction: boolean
  isChanged: boolean
  authorId: string | null
  now: Date
}

/**
 * Tells subscribers of a new alerte, when it begins, and so late that whoever wrote it can take it back before the first message
 * leaves. An urgent one does not wait.
 */
export const announceAlerte = (
  tx: Database,
  tools: Tools,
  { id, niveau, debut }: Pick<Told, 'id' | 'niveau' | 'debut'>,
  authorId: string | null,
): Promise<void> => {
  const leavesAt = niveau === 'urgence' ? null : new Date(Date.now() + takeBackMs)
  const isLater = debut !== null && (leavesAt === null || debut > leavesAt)
  return announce(tx, tools, 'alerte', { id, debut: isLater ? debut : leavesAt }, authorId)
}

const takeBackMs = 10_000

/**
 * Follows a change of an alerte. One that became urgent is told to those who want urgent ones only; one that begins at another
 * time is told then; one that is for more communes is told to their residents; its end, or a correction, is told if that was asked for. One that had ended and goes on is told to those whom
 * its broadcast has not reached. What was told already is not told again, except the next end of one that went on.
 */
export async function followAlerte(
  tx: Database,
  tools: Tools,
  before: Told & { updated_at: Date },
  after: Told,
  telling: Telling,
): Promise<void> {
  if (after.fin !== null && after.fin <= telling.now) {
    if (telling.end) await announce(tx, tools, 'alerte_fin', { id: after.id, debut: null }, telling.authorId)
    return
  }
  if (telling.correction) await announceCorrection(tx, tools, before, telling)
  const isRaised = after.niveau === 'urgence' && before.niveau !== 'urgence'
  const isMoved = after.debut?.getTime() !== before.debut?.getTime()
  const hasOtherEnd = after.fin?.getTime() !== before.fin?.getTime()
  const isForOthers = !isDeepStrictEqual(after.commune_ids, before.commune_ids)
  if (!(isRaised || isMoved || hasOtherEnd || isForOthers)) return
  // Locked also while it is sent: a slice that finds that the alerte has ended waits, then reads the end that this change writes.
  const { rows } = await sql<{ id: string; kind: AlerteKind; status: string; is_kept: boolean }>`
    select id, kind, status, ${isKept} as is_kept
    from broadcasts where alerte_id = ${after.id} order by kind for no key update`.execute(tx)
  for (const { id, kind, status, is_kept } of rows) {
    const hasNew = kind === 'alerte' && (isRaised || (is_kept && isWidened(before, after)))
    if (kind === 'alerte_fin') await detach(tx, id)
    // A broadcast of an alerte that begins later is expanding, too: its job waits.
    else if (status === 'stopped' || hasNew || (kind === 'alerte' && isMoved && status === 'expanding')) {
      await sql`
        update broadcasts set status = 'expanding', ended_at = null,
          cursor = case when ${hasNew}::boolean then null else cursor end
        where id = ${id}`.execute(tx)
      await enqueue(tx, tools, id, after.debut)
    }
  }
}

/** Waits for what is being taken of an alerte, after which nothing is taken for residents of a commune that hides it. */
export async function lockBroadcasts(tx: Database, alerteId: string): Promise<void> {
  await sql`select from broadcasts where alerte_id = ${alerteId} order by kind for no key update`.execute(tx)
}

/** Tells an alerte to residents of a commune that shows it again, save those who were told of it. */
export async function announceShownAgain(
  tx: Database,
  tools: Pick<Deps, 'jobs'>,
  { id, debut, fin }: Pick<Told, 'id' | 'debut' | 'fin'>,
  now: Date,
): Promise<void> {
  if (fin !== null && fin <= now) return
  await lockBroadcasts(tx, id)
  // The job of one that nobody was added to yet is still to come.
  const { rows } = await sql<{ id: string }>`
    update broadcasts set status = 'expanding', ended_at = null, cursor = null
    where alerte_id = ${id} and kind = 'alerte' and ${isKept} and (status <> 'expanding' or cursor is not null)
    returning id`.execute(tx)
  for (const broadcast of rows) await enqueue(tx, tools, broadcast.id, debut)
}

/** Matches broadcasts of which it is known who got them. */
const isKept = sql<boolean>`created_at > now() - make_interval(months => ${monthsOfDeliveries})`

/** Whether an alerte is for a commune for which it was not. */
const isWidened = (before: Told, after: Told) =>
  before.commune_ids.length > 0 &&
  (after.commune_ids.length === 0 || after.commune_ids.some((id) => !before.commune_ids.includes(id)))

/**
 * Tells those who were told of an alerte what it says now. A change is told once, however often that is asked for, and a newer
 * one replaces a correction that has not left.
 */
async function announceCorrection(
  tx: Database,
  tools: Tools,
  { id, updated_at }: { id: string; updated_at: Date },
  { isChanged, authorId }: Telling,
): Promise<void> {
  const { rows } = await sql<{ id: string; kind: AlerteKind; created_at: Date }>`
    select id, kind, created_at from broadcasts
    where alerte_id = ${id} and kind in ('alerte', 'alerte_correction') order by kind for no key update`.execute(
    tx,
  )
  // Nobody was told of it, or all that was told is what it says.
  if (rows.length === 0 || !(isChanged || rows.every(({ created_at }) => created_at < updated_at))) return
  for (const former of rows) if (former.kind === 'alerte_correction') await detach(tx, former.id)
  await announce(tx, tools, 'alerte_correction', { id, debut: null }, authorId)
}

/**
 * Takes the announcement of an end from an alerte that goes on, or of a correction from one that is corrected again: what has
 * not left is not sent, and the next has an announcement of its own. An alerte has one of each at a time, so that each is
 * announced once however often that is asked for.
 */
async function detach(tx: Database, broadcastId: string): Promise<void> {
  await stop(tx, broadcastId)
  await sql`update broadcasts set alerte_id = null where id = ${broadcastId}`.execute(tx)
}

/**
 * Restarts broadcasts that stopped although their alerte is current: its acteur was inactive, deleted, or had no commune
 * meanwhile. Their jobs are enqueued with those that are lost.
 */
export async function restartStopped(db: Database): Promise<void> {
  await sql`
    update broadcasts b set status = 'expanding', ended_at = null
    from alertes al
    where al.id = b.alerte_id and b.kind in ('alerte', 'alerte_correction') and b.status = 'stopped'
      and coalesce(al.fin, 'infinity') > now()
      and exists (select from alerte_places place where place.alerte_id = al.id)`.execute(db)
}

/** Stops what has not left of an alerte that is withdrawn. Returns its broadcasts. */
export async function withdrawAlerte(tx: Database, alerteId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update broadcasts set
      ended_at = case when status in ('expanding', 'sending') then now() else ended_at end,
      status = case when status in ('expanding', 'sending') then 'stopped' else status end
    where alerte_id = ${alerteId} returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Gives a restored alerte its broadcasts back. Those that stopped go on with those of mairies that are shown again. */
export async function resumeAlerte(tx: Database, alerteId: string, broadcastIds: string[]): Promise<void> {
  await sql`
    update broadcasts set alerte_id = ${alerteId}
    where id = any(${broadcastIds}::uuid[]) and alerte_id is null`.execute(tx)
}

async function announce(
  tx: Database,
  tools: Tools,
  kind: AlerteKind,
  alerte: Pick<Told, 'id' | 'debut'>,
  authorId: string | null,
): Promise<void> {
  // Without the site nobody could subscribe or leave.
  if (!tools.config.hasSite) return
  const { rows } = await sql<{ id: string }>`
    insert into broadcasts (id, kind, alerte_id, author_id) values (${uuidv7()}, ${kind}, ${alerte.id}, ${authorId})
    on conflict (alerte_id, kind) where alerte_id is not null do nothing returning id`.execute(tx)
  const [broadcast] = rows
  if (broadcast !== undefined) await enqueue(tx, tools, broadcast.id, alerte.debut)
}

const enqueue = (tx: Database, { jobs }: Pick<Deps, 'jobs'>, broadcastId: string, debut: Date | null) =>
  jobs.enqueue(
    tx,
    expandBroadcast,
    { broadcastId },
    { priority: alertesFirst, ...(debut !== null && { startAfter: debut }) },
  )
