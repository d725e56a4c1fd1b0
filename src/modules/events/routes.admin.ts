import { PassThrough } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import Type from 'typebox'
import { opens } from '../../platform/access/areas.ts'
import { sessionTimes } from '../../platform/access/sessions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { unavailable } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { warnOncePerMinute } from '../../platform/log/log.ts'
import type { ListedMailKind } from '../../platform/mail/row-mails.ts'
import type { Deps, RouteDeps, WatchedRows } from '../../platform/module.ts'
import { countAll, waitingIn } from '../dashboard/counts.ts'
import { createHub, type Listener, type News } from './hub.ts'
import { areaOfTopic, type Topic, topicsOf, topicsOfMail, watchedCounts } from './topics.ts'

type Entry = { seq: number; entity: string; action: string }

/** Limit on entries per read; more are a gap. */
const maxEntries = 1_000

async function findLastSeq(db: Database): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    select coalesce(max(seq), 0)::float8 as seq from audit_log`.execute(db)
  return rows[0]?.seq ?? 0
}

/** Lists new audit entries, and missing ones whose smaller number was committed later. */
async function listEntries(db: Database, after: number, missing: number[]): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    (select seq::float8 as seq, entity, action from audit_log where seq > ${after}::bigint
      order by audit_log.seq limit ${sql.lit(maxEntries)})
    union all
    select seq::float8, entity, action from audit_log where seq = any(${missing}::bigint[])
    order by seq`.execute(db)
  return rows
}

/** Reads the states of records that change without an audit entry, in one statement. */
async function readStates(db: Database, watched: readonly WatchedRows[]): Promise<(string | null)[]> {
  if (watched.length === 0) return []
  const states = watched.map(({ state }) => sql`(${state})::text`)
  const { rows } = await sql<{ states: (string | null)[] }>`
    select json_build_array(${sql.join(states)}) as states`.execute(db)
  return rows[0]?.states ?? []
}

type Rights = { user_id: string; session_id: string | null }

/**
 * Returns a text for each user and session that changes with their permissions. Omits disabled users and
 * ended sessions.
 */
async function readRights(db: Database, all: Rights[]): Promise<Map<string, string>> {
  const { rows } = await sql<Rights & { rights: string }>`
    select l.user_id, l.session_id, concat_ws(' ',
      array(select r.role from user_roles r where r.user_id = u.id order by r.role)::text,
      u.tokens_valid_from) as rights
    from (select distinct user_id, session_id from jsonb_to_recordset(${JSON.stringify(all)}::jsonb)
      as l (user_id uuid, session_id uuid)) l
    join users u on u.id = l.user_id and u.actif
    where l.session_id is null or exists (
      select from sessions s where s.id = l.session_id and s.ended_at is null and s.expires_at > now()
        and s.last_seen_at > now() - ${sessionTimes.idle}::interval)`.execute(db)
  return new Map(rows.map((row) => [keyOf(row), row.rights]))
}

const keyOf = ({ user_id, session_id }: Rights): string => `${user_id} ${session_id ?? ''}`

type ClientRights = Rights & { rights: string }

export function eventsRoutes(scope: SignedInScope, deps: RouteDeps): void {
  const { reads, log, drain } = deps
  const hub = createHub<ClientRights>({
    ...readingOf(deps),
    async stillAllowed(all) {
      const now = await readRights(reads, all)
      return new Set(all.filter((one) => now.get(keyOf(one)) === one.rights))
    },
    onFailure: warnOncePerMinute(log, 'changes could not be read: event connections are closed'),
  })
  drain.onStop(() => hub.close())

  scope.get(
    '/admin/events',
    {
      schema: {
        operationId: 'listenToEvents',
        summary:
          'Server-sent events: a topic when something of it changed, at most once a second; `resync` when changes may have been missed',
        headers: Type.Object({
          'last-event-id': Type.Optional(
            Type.String({
              description: 'The last `id` seen, of a client that comes back',
              examples: ['4217'],
            }),
          ),
        }),
        response: {
          200: {
            description: 'Open until the session or its rights end, or the service stops',
            content: { 'text/event-stream': { schema: Type.String({ examples: [example] }) } },
          },
        },
      },
    },
    async (request, reply) => {
      // A proxy then tries another instance, instead of opening a stream that ends at once.
      if (drain.announced) throw unavailable('stopping')
      const { user } = request.caller
      const who = { user_id: user.id, session_id: request.session?.id ?? null }
      // Read before subscribing: a change of permissions in between closes the connection.
      const rights = (await readRights(reads, [who])).get(keyOf(who)) ?? ''
      const stream = new PassThrough()
      const listener: Listener<ClientRights> = {
        rights: { ...who, rights },
        wants: (topic) => opens(user.roles, areaOfTopic[topic]),
        endsAt: endOfToken(request),
        write: (text) => void stream.write(text),
        unread: () => stream.readableLength + stream.writableLength + reply.raw.writableLength,
        close() {
          // Data that a client does not read would keep the connection open.
          if (listener.unread() > 0) stream.destroy()
          else stream.end()
        },
      }
      stream.once('close', () => hub.leave(listener))
      await hub.listen(listener, lastSeen(request))
      // The headers keep proxies from buffering events.
      return reply
        .header('content-type', 'text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store, no-transform')
        .header('x-accel-buffering', 'no')
        .send(stream as never)
    },
  )
}

const example = 'id: 4218\ndata: {"topic":"publications"}\n\n'

function lastSeen({ headers }: FastifyRequest): number | null {
  const text = headers['last-event-id']
  return typeof text === 'string' && text !== '' ? Number(text) : null
}

/** Returns when the verified token expires, in ms since 1970; null for a session. */
function endOfToken({ session, headers }: FastifyRequest): number | null {
  if (session !== null) return null
  const [, payload = ''] = (headers.authorization ?? '').split('.')
  const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { exp?: unknown }
  return typeof exp === 'number' ? exp * 1_000 : null
}

/** How long a skipped number may still be committed: longer than any transaction. */
const lateMs = 60_000
const maxMissing = 1_000
/** So many of the newest numbers may still be uncommitted when the first client subscribes. */
const recentEntries = 500

type State = { topics: readonly string[]; value: string | null }

/** Differs whenever a mail of this kind changes state: jobs do that without an audit entry. */
const mailWatched = ({ table, entity }: ListedMailKind): WatchedRows => ({
  topics: topicsOfMail(entity),
  state: sql`
    select concat_ws(' ', count(*), max(email_status_at)) from ${sql.table(table)}
    where email_status in ('queued', 'sending', 'uncertain')`,
})

/**
 * Reads changes from the audit log, whose entries are committed with the changes, from a few counts, and from the
 * states of watched work. An entry gets its number before its commit, so skipped numbers are read again.
 */
function readingOf({ reads, config, modules }: Pick<Deps, 'reads' | 'config' | 'modules'>) {
  const waiting = waitingIn(modules).filter(({ key }) => watchedCounts.includes(key))
  const watched = modules.flatMap(({ office: { watched = [], mails = [] } = {} }) => [
    ...watched,
    ...mails.map(mailWatched),
  ])
  const missing = new Map<number, number>()
  let last = 0
  let states: State[] = []

  async function readAll(): Promise<State[]> {
    const [counted, values] = await Promise.all([
      countAll({ reads, config }, waiting),
      readStates(reads, watched),
    ])
    const counts = Object.entries(counted).map(([key, count]) => ({
      topics: [key],
      value: JSON.stringify(count),
    }))
    return [...counts, ...watched.map(({ topics }, index) => ({ topics, value: values[index] ?? null }))]
  }

  /** Records skipped numbers; true if there are too many to read again. */
  function passOver(entries: Entry[]): boolean {
    for (const { seq } of entries) {
      if (missing.delete(seq) || seq <= last) continue
      for (let skipped = last + 1; skipped < seq && missing.size <= maxMissing; skipped++)
        missing.set(skipped, Date.now())
      last = seq
    }
    const isTooMany = missing.size > maxMissing
    for (const [seq, since] of missing) if (isTooMany || Date.now() - since > lateMs) missing.delete(seq)
    return isTooMany
  }

  return {
    async begin(): Promise<number> {
      missing.clear()
      const [newest, now] = await Promise.all([findLastSeq(reads), readAll()])
      states = now
      // Changes under way have got their numbers already.
      last = Math.max(0, newest - recentEntries)
      const recent = await listEntries(reads, last, [])
      passOver(recent.filter(({ seq }) => seq <= newest))
      return newest
    },
    async read(): Promise<News> {
      const [entries, now] = await Promise.all([listEntries(reads, last, [...missing.keys()]), readAll()])
      const topics = new Set<Topic>(entries.flatMap(topicsOf))
      for (const [index, state] of now.entries())
        if (state.value !== states[index]?.value) for (const topic of state.topics) topics.add(topic as Topic)
      states = now
      const isGap = passOver(entries) || entries.length >= maxEntries
      if (isGap) last = Math.max(last, await findLastSeq(reads))
      return { topics, last, isGap }
    },
  }
}
