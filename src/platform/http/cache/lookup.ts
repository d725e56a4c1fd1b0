import type { IncomingMessage, ServerResponse } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyBaseLogger, FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import { type AppSource, type AppSources, tablesOfSources, within } from '../../access/app-sources.ts'
import type { Changes } from '../../database/changes.ts'
import { isRead } from '../../formats/http-methods.ts'
import { shortAddress } from '../../formats/network-address.ts'
import { uuidv7 } from '../../formats/uuid.ts'
import { requestLog } from '../../log/request-log.ts'
import { beforeFastify, type Handler } from '../before-fastify.ts'
import { dateToSend, isUnchanged } from '../conditional.ts'
import { allowedOrigin } from '../cors.ts'
import type { CountPage } from '../counted-pages.ts'
import { hasValidHost } from '../host.ts'
import { type Domain, type Hosts, tagsOfDomains } from '../hosts.ts'
import type { HttpServer, ObserveRequest } from '../http-server.ts'
import type { Drain } from '../operation/drain.ts'
import type { Slots } from '../overload/admission.ts'
import { queuedMs } from '../overload/queue-times.ts'
import type { UnreadResponses } from '../overload/unread-responses.ts'
import { perClientAddress } from '../rate-limits/client-address.ts'
import type { RouteTable } from '../route-table.ts'
import type { directReads } from './direct-reads.ts'
import { edgeHeaders } from './edge.ts'
import type { CachedResponse, Read, ResponseCache } from './store.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How a public read is cached. Every public read says it. */
    caching?: RouteCaching
  }
  interface FastifyRequest {
    /** Returns the headers by which an edge cache may store the response. */
    edgeHeaders: (() => [name: string, value: string][]) | null
    /** Called with the full response, or with null if it must not be shared. */
    shareResponse: ((reply: FastifyReply, response: Finished | null) => void) | null
  }
}

/** A full response, before it is a 304 for who knows it. */
type Finished = { payload: string | Buffer; etag: string }

export type RouteCaching =
  | {
      /** Tables that the response depends on: it is cached until one of them changes. */
      shows: readonly string[]
      /** Tags of the rows that a request can show, in place of all rows of its tables; null: it can show any. */
      tagsOf?: (request: ShownRequest) => readonly string[] | null
      /** A query parameter that people fill with what is theirs, such as an address: a response to it is neither cached nor stored. */
      unless?: string
      /** Its handler uses nothing of the request but `params` and `caller`, and sets no header: it is read without Fastify. */
      direct?: true
    }
  | {
      /** Why the response is not cached. */
      never: string
      /** A query parameter that people fill with what is theirs: a client may not store a response to it. */
      unless?: string
      /** A read that names what has changed: reads that follow it on this instance must not be older. */
      namesChanges?: true
    }

/** Returns the tables that a route shows; null if its responses are not cached. */
export const tablesShown = ({ caching }: FastifyContextConfig = {}): readonly string[] | null =>
  caching !== undefined && 'shows' in caching ? caching.shows : null

/** Parameters of a request and its application. The path is not validated; ids may be in capitals. */
export type ShownRequest = {
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, unknown>>
  /** Communes the application is restricted to; null: no restriction. */
  communeIds: readonly string[] | null
}

type Caching = {
  cache: ResponseCache
  changes: Changes
  sources: AppSources
  hosts: Hosts
  routes: RouteTable
  /** Null while a replica may serve reads. */
  direct: ReturnType<typeof directReads> | null
  slots: Slots
  countPage: CountPage
  /** Whether responses have headers for an edge cache. */
  hasEdge: boolean
}
type Watchers = {
  log: FastifyBaseLogger
  trustProxy: string[]
  corsOrigins: string[]
  drain: Drain
  unread: UnreadResponses
  observe?: ObserveRequest | undefined
}

/** Key of a cacheable request. Requests with the same key get the same response. */
type Cacheable = {
  key: string
  tags: readonly string[]
  source: AppSource
  /** Headers for an edge cache; none if the request names a person, or if its response is for one application only. */
  edge: readonly string[]
  /** Reads it without Fastify; null if that is not possible. */
  readDirectly: ReadDirectly | null
}
type OwnRead = { read: Read; cacheable: Cacheable; isStarted: boolean }
type Respond = (cached: CachedResponse, edge?: readonly string[]) => void
type ReadDirectly = (request: IncomingMessage, source: AppSource) => Promise<CachedResponse> | null

/**
 * Serves a public read before Fastify sees it: from the cache, or with the response of an identical read in
 * progress. On a miss the request goes on to Fastify; its response is cached, and sent to identical requests
 * that arrived meanwhile.
 */
export function cacheResponses(server: HttpServer, caching: Caching, watchers: Watchers): void {
  const { cache, changes, direct, slots, sources, countPage } = caching
  const { drain } = watchers
  const send = responseSender(watchers, countPage)
  const reads = new WeakMap<IncomingMessage, OwnRead>()
  const cacheableOf = cacheableReader(caching)
  const cachedResponseOf = cachedResponses()

  beforeFastify(server, (request, response, next) => {
    const cacheable = drain.closesConnections ? null : cacheableOf(request)
    if (cacheable === null) return next()
    const startedAt = performance.now()
    const respond: Respond = (cached, edge = cacheable.edge) =>
      send(request, response, { cached, startedAt, source: cacheable.source, edge })
    const cached = cache.find(cacheable.key)
    if (cached !== null) return respond(cached)
    const follow = (shared: CachedResponse | null) => {
      if (response.destroyed) return
      if (shared === null) next()
      else respond(shared)
    }
    if (cache.join(cacheable.key, follow)) return
    const read = cache.begin(cacheable.key, cacheable.tags)
    const own: OwnRead = { read, cacheable, isStarted: false }
    reads.set(request, own)
    response.once('close', () => {
      // The client disconnected while the request was queued, or the response did not come from the route:
      // there is nothing to share. A read that has started continues without its client.
      if (!own.isStarted || response.writableFinished) void own.read.end(null)
    })
    const { readDirectly } = cacheable
    if (readDirectly !== null) direct?.handOver(request, respondDirectly(own, readDirectly, respond))
    next()
  })

  /** Sends and shares what is read without Fastify; leaves to it what is refused or fails. */
  function respondDirectly(own: OwnRead, readDirectly: ReadDirectly, respond: Respond): Handler {
    return (request, response, next) => {
      const { source, tags } = own.cacheable
      const now = sources.findCached(source.code)
      const isOpenTo = now !== null && now.communeIds === null
      if (!isOpenTo || response.destroyed || server.isUnderPressure()) return next()
      own.isStarted = true
      own.read.start()
      const generation = changes.generationOf(tags)
      const reading = readDirectly(request, source)
      if (reading === null) return next()
      slots.hold(request)
      const end = (found: CachedResponse | null) => {
        void own.read.end(found)
        slots.release(request)
      }
      reading.then(
        (found) => {
          end(found)
          const isCurrent = generation !== null && generation === changes.generationOf(tags)
          respond(found, isCurrent ? own.cacheable.edge : noHeaders)
        },
        // Fastify responds, and releases the slot; it does neither once the client has left.
        () => (response.destroyed ? end(null) : next()),
      )
    }
  }

  server.decorateRequest('shareResponse', null)
  server.decorateRequest('edgeHeaders', null)
  server.addHook('onRequest', (request, _reply, done) => {
    const own = reads.get(request.raw)
    if (own === undefined) return done()
    own.isStarted = true
    own.read.start()
    const { source, tags, edge } = own.cacheable
    const generation = changes.generationOf(tags)
    // No headers after a change during the read: its purge has been sent. Nor while notifications are missed: nothing is purged then.
    const isCurrent = () => generation !== null && generation === changes.generationOf(tags)
    request.edgeHeaders = () => (isCurrent() && readsTheSame(request, source) ? pairsOf(edge) : [])
    request.shareResponse = (reply, response) => {
      const isSame = response !== null && readsTheSame(request, source)
      const shared = isSame ? cachedResponseOf(request, reply, response) : null
      if (shared !== null) direct?.remember(shared)
      void own.read.end(shared)
    }
    done()
  })
  // Waits until the notifications of the change have arrived, so that whoever knows of it then reads it from this
  // instance.
  server.addHook('onSend', async ({ method, routeOptions }) => {
    if (!isRead(method) || namesChanges(routeOptions.config)) await changes.arrived()
  })
}

const namesChanges = ({ caching }: FastifyContextConfig) =>
  caching !== undefined && 'never' in caching && caching.namesChanges

/**
 * False if the restriction of the application changed after the request arrived: the response then does not
 * match its key and tags.
 */
function readsTheSame({ caller }: FastifyRequest, { code, communeIds }: AppSource): boolean {
  const now = caller.source
  return (
    now !== null &&
    isDeepStrictEqual(communeIds, now.communeIds) &&
    (communeIds === null || now.code === code)
  )
}

function cachedResponses() {
  const shared = new Map<string, readonly string[]>()
  /** Returns the headers of the last response of the route if these are equal: a copy would double a small response. */
  function sharedOf(route: string, headers: readonly string[]) {
    const last = shared.get(route)
    if (last !== undefined && isDeepStrictEqual(last, headers)) return last
    shared.set(route, headers)
    return headers
  }
  return (
    { routeOptions: { url = '' }, countedPage }: FastifyRequest,
    reply: FastifyReply,
    { payload, etag }: Finished,
  ): CachedResponse => ({
    route: url,
    headers: sharedOf(url, sharedHeaders(reply)),
    contentType: `${reply.getHeader('content-type')}`,
    etag,
    lastModified: reply.getHeader('last-modified') as string | undefined,
    isOpen: reply.getHeader('access-control-allow-origin') === '*',
    body: (typeof payload === 'string' ? Buffer.from(payload) : payload).toString('latin1'),
    ...(countedPage && { countedPage }),
  })
}

const openOrigin = ['access-control-allow-origin', '*']

type Sent = { cached: CachedResponse; startedAt: number; source: AppSource; edge: readonly string[] }

function responseSender({ log, trustProxy, corsOrigins, unread, observe }: Watchers, countPage: CountPage) {
  const addressOf = perClientAddress(trustProxy, shortAddress)
  const writeLine = requestLog(log)
  return (request: IncomingMessage, response: ServerResponse, { cached, startedAt, source, edge }: Sent) => {
    const request_id = uuidv7()
    const from = addressOf(request)
    const status = isUnchanged(askedBy(request), cached) ? 304 : 200
    const record = () => {
      const ms = performance.now() - startedAt
      const waitedMs = queuedMs(request)
      const { route, countedPage } = cached
      observe?.('GET', route, status, ms / 1_000)
      if (countedPage !== undefined && response.writableFinished) countPage(countedPage, request, status)
      writeLine({
        ...{ request_id, method: 'GET', route, status, ms, from, app_source: source.code },
        ...(waitedMs >= 1 && { queued_ms: Math.round(waitedMs) }),
        ...(!response.writableFinished && { aborted: true }),
      })
    }
    if (response.destroyed) return record()
    // 'close' is emitted only once; `once` would cost more than `on`.
    response.on('close', record)
    const allowed = cached.isOpen ? openOrigin : allowedOrigin(corsOrigins, request)
    const ofBody = status === 304 ? noHeaders : bodyHeaders(cached)
    const headers = [...cached.headers, ...validators(cached), ...ofBody]
    response.writeHead(status, ['x-request-id', request_id, ...allowed, ...headers, ...edge])
    if (status === 304) response.end()
    else response.end(cached.body, 'latin1')
    if (response.writableLength > 0) unread.watch(response, cached.body.length)
  }
}

const askedBy = (request: IncomingMessage) => ({
  tags: fieldOf(request, 'if-none-match'),
  date: fieldOf(request, 'if-modified-since'),
})

const validators = ({ etag, lastModified }: CachedResponse) =>
  lastModified === undefined ? ['etag', etag] : ['etag', etag, 'last-modified', dateToSend(lastModified)]

const bodyHeaders = ({ contentType, body }: CachedResponse) => [
  ...['content-type', contentType],
  ...['content-length', `${body.length}`],
]

/**
 * Returns the cache key of a request; null if its response must not be cached, or if Fastify has to decide.
 */
function cacheableReader({ sources, hosts, routes, direct, hasEdge }: Caching) {
  const edgeOf = hasEdge ? edgeHeaders : () => noHeaders
  const read = rememberReads((url) => readOf(url, routes, direct, edgeOf))
  return (request: IncomingMessage): Cacheable | null => {
    const known = isPlain(request) ? read(request.url ?? '') : null
    if (known === null) return null
    const code = known.appSource ?? (fieldOf(request, 'x-app-source')?.trim() || null)
    const source = code === null ? null : sources.findCached(code)
    if (source === null) return null
    const domain = hosts.findCached(request)
    if (domain === undefined) return null
    const { key, tags, tagsWithin, appSource, readDirectly } = known
    const mayBeStored = hasEdge && isNobodys(request)
    if (domain !== null) {
      const shown = known.onDomain(domain, source)
      return shown && { ...shown, edge: mayBeStored ? shown.edge : noHeaders }
    }
    // Only restricted applications get different responses.
    if (source.communeIds === null)
      return { key, tags, source, edge: mayBeStored ? known.edge : noHeaders, readDirectly }
    const ownTags = [...tagsWithin(source.communeIds), ...tablesOfSources]
    // A page is the same for everybody, whatever its application is restricted to.
    const edge = mayBeStored && appSource !== undefined ? edgeHeaders(ownTags) : noHeaders
    return { key: `${source.code} ${key}`, tags: ownTags, source, edge, readDirectly: null }
  }
}

const noHeaders: readonly string[] = []

/** True for a request that names no person. Public reads ignore who asks, but an edge cache cannot know that. */
const isNobodys = (request: IncomingMessage) => personal.every((name) => fieldOf(request, name) === undefined)

const personal = ['authorization', 'cookie']

type PublicRead = {
  key: string
  tags: readonly string[]
  /** Headers for an edge cache. */
  edge: readonly string[]
  appSource: string | undefined
  readDirectly: ReadDirectly | null
  /** Tags for an application that is restricted to these communes. */
  tagsWithin(communeIds: readonly string[]): readonly string[]
  /** The same page on a domain, which shares no response with the platform or another domain; null: it has pages alone. */
  onDomain(domain: Domain, source: AppSource): Cacheable | null
}

/** Builds the key from the parameters that the route knows, so that unknown ones create no extra entries. */
function readOf(
  url: string,
  routes: RouteTable,
  direct: Caching['direct'],
  edgeOf: typeof edgeHeaders,
): PublicRead | null {
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  const route = routes.find('GET', path)
  const { caching, scope } = route?.config ?? {}
  if (route === null || caching === undefined || 'never' in caching || hasOtherSpelling.test(path))
    return null
  const { shows, tagsOf = () => null, unless = null } = caching
  const appSource = scope?.appSource
  const query = end === -1 ? {} : route.readQuery(url.slice(end + 1))
  if (query === null || (unless !== null && unless in query)) return null
  const values = { params: paramsOf(route.url, path), query: query as ShownRequest['query'] }
  const tagsWithin = (communeIds: readonly string[] | null) => tagsOf({ ...values, communeIds }) ?? shows
  const tags = tagsWithin(null)
  const read = direct?.of(route.url) ?? null
  const key = `${path}${textOfQuery(query)}`
  const onDomain = perDomain((domain, source) => {
    if (appSource === undefined) return null
    const shown = within(source, domain.communeIds)
    const tags = [...tagsWithin(shown.communeIds), ...tagsOfDomains, ...tablesOfSources]
    return {
      ...{ key: `//${domain.host} ${key}`, tags, source: shown, edge: edgeOf(tags), readDirectly: null },
    }
  })
  return {
    ...{ key, tags, edge: edgeOf(tags), appSource, tagsWithin, onDomain },
    readDirectly: read && ((request, source) => read(request, values.params, source)),
  }
}

/** Computes something once for each domain, as long as the application is restricted to the same communes. */
function perDomain<T>(compute: (domain: Domain, source: AppSource) => T) {
  // Created on first use: most URLs are asked on no domain.
  let known: WeakMap<Domain, { communeIds: AppSource['communeIds']; value: T }> | null = null
  return (domain: Domain, source: AppSource): T => {
    known ??= new WeakMap()
    const { communeIds } = source
    const before = known.get(domain)
    if (before !== undefined && before.communeIds === communeIds) return before.value
    const value = compute(domain, source)
    known.set(domain, { communeIds, value })
    return value
  }
}

/** Reads the parameters of a path from the pattern of its route. */
function paramsOf(pattern: string, path: string): Record<string, string> {
  const segments = path.split('/')
  return Object.fromEntries(
    pattern
      .split('/')
      .flatMap((name, at) => (name.startsWith(':') ? [[name.slice(1), segments[at] ?? '']] : [])),
  )
}

const maxRemembered = 5_000
const longestRemembered = 500

/** Caches parsed URLs: parsing one costs a tenth of a cached response. Evicts the older half in one step. */
function rememberReads(read: (url: string) => PublicRead | null): (url: string) => PublicRead | null {
  let recent = new Map<string, PublicRead>()
  let older = new Map<string, PublicRead>()
  return (url) => {
    const known = recent.get(url) ?? older.get(url) ?? read(url)
    if (known === null || url.length > longestRemembered || recent.has(url)) return known
    recent.set(url, known)
    if (recent.size >= maxRemembered) [recent, older] = [new Map(), recent]
    return known
  }
}

/**
 * Matches other spellings of a path, each of which would get its own entry: percent-encoding, capitals in an
 * id.
 */
const hasOtherSpelling = /%|\/(?=[0-9a-fA-F-]{36}(?:\/|$))[0-9a-f-]*[A-F]/

function textOfQuery(query: object): string {
  const text = JSON.stringify(query)
  return text === '{}' ? '' : `?${text}`
}

const sharedHeaders = (reply: FastifyReply): string[] =>
  Object.entries(reply.getHeaders())
    .filter(([name]) => !addedWhenSent.has(name))
    .flatMap(([name, value]) => [name, `${value}`])

const addedWhenSent = new Set([
  ...['x-request-id', 'connection', 'date', 'keep-alive', 'transfer-encoding'],
  ...['access-control-allow-origin', 'etag', 'last-modified', 'content-type', 'content-length'],
  // Each request gets its own: an edge cache stores no response to a person.
  ...['cdn-cache-control', 'surrogate-key', 'cache-tag'],
])

/** True for a GET that needs no more than the cache can decide. */
const isPlain = (request: IncomingMessage): boolean =>
  request.method === 'GET' &&
  request.httpVersion === '1.1' &&
  hasValidHost(request) &&
  decidedElsewhere.every((name) => fieldOf(request, name) === undefined)

const decidedElsewhere = ['content-length', 'transfer-encoding', 'expect']

/**
 * Reads a single-valued header. V8 is slow to look up an absent name that is constant: this one is variable.
 */
const fieldOf = ({ headers }: IncomingMessage, name: string) => headers[name] as string | undefined

function pairsOf(headers: readonly string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let at = 0; at < headers.length; at += 2) pairs.push([headers[at] ?? '', headers[at + 1] ?? ''])
  return pairs
}
