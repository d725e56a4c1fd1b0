import { PassThrough } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import Type from 'typebox'
import { opens } from '../../platform/access/areas.ts'
import { unavailable } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { warnOncePerMinute } from '../../platform/log/log.ts'
import type { ListedMailKind } from '../../platform/mail/row-mails.ts'
import type { Deps, RouteDeps, WatchedRows } from '../../platform/module.ts'
import { countAll, waitingIn } from '../dashboard/counts.ts'
import { createHub, type Listener, type News } from './hub.ts'
import {
  type Entry,
  findLastSeq,
  keyOf,
  listEntries,
  maxEntries,
  type Rights,
  readRights,
  readStates,
} from './queries.ts'
import { areaOfTopic, type Topic, topicsOf, topicsOfMail, watchedCounts } from './topics.ts'

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
  const watched = modules.flatMap(({ watched = [], mails = [] }) => [...watched, ...mails.map(mailWatched)])
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
