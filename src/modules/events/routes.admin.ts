import { PassThrough } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { opens } from '../../platform/access/areas.ts'
import { unavailable } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { warnOncePerMinute } from '../../platform/log/log.ts'
import type { RouteDeps } from '../../platform/module.ts'
import { createHub, type Listener } from './hub.ts'
import { keyOf, type Rights, readRights } from './queries.ts'
import { readingOf } from './reading.ts'
import { areaOfTopic } from './topics.ts'

type Known = Rights & { rights: string }

export function eventsRoutes(scope: SignedInScope, deps: RouteDeps): void {
  const { reads, log, drain } = deps
  const hub = createHub<Known>({
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
      const listener: Listener<Known> = {
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
