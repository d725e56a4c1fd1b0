import { createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { defaultPools } from '../../src/platform/database/pools/pools.ts'
import { secret } from '../service.ts'
import * as statements from './statements.ts'

/**
 * A hand-written baseline: `node:http`, `pg` and one prepared statement per request. No validation or log: the least the
 * service could cost on these tables. Like the service it has four connections for reads and three for writes,
 * verifies the token of a signed-in request, and reads its user at most five times a second. A list of the back-office
 * is the same JSON, with an exact total counted by each request.
 */
pg.types.setTypeParser(pg.types.builtins.DATE, (value) => value)
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const connectionString = process.env.DATABASE_URL ?? ''
const pool = new pg.Pool({ connectionString, max: defaultPools.lists.max })
const writes = new pg.Pool({ connectionString, max: defaultPools.writes.max })

/** `userId`: null without a token. */
type Call = { url: URL; id: string; body: Record<string, unknown>; userId: string | null }
type Handler = (asked: Call) => Promise<unknown>
type Statement = { name: string; text: string }

const rowsOf = async (statement: Statement, values: unknown[] = [], client: pg.Pool | pg.PoolClient = pool) =>
  (await client.query({ ...statement, values })).rows

async function page(statement: Statement, perPage: number, url: URL, values: unknown[]) {
  const current_page = Number(url.searchParams.get('page') ?? 1)
  const rows = await rowsOf(statement, [...values, perPage, (current_page - 1) * perPage])
  const total = rows[0]?.total ?? 0
  const data = rows.filter(({ id }) => id !== null).map(({ total, chord, ...row }) => row)
  return {
    data,
    meta: { current_page, last_page: Math.max(1, Math.ceil(total / perPage)), per_page: perPage, total },
  }
}

/** Returns a page of the back-office in the shape of the service: with what a record allows, and the next position. */
async function managedPage(statement: Statement, url: URL, values: unknown[]) {
  const { data, meta } = await page(statement, 25, url, values)
  const place = data.at(-1)?.place
  const hasMore = meta.current_page * meta.per_page < meta.total
  return {
    data: data.map(({ place, ...row }) => ({ ...row, can: actionsOn(row) })),
    meta: { ...meta, next: hasMore ? positionOf(['publications created_at_desc', ...place]) : null },
  }
}

const positionOf = (values: unknown[]) => Buffer.from(JSON.stringify(values)).toString('base64url')

function actionsOn({ deleted_at, reports_open }: { deleted_at: Date | null; reports_open: number }) {
  if (deleted_at !== null) return ['restore']
  const close = reports_open > 0 ? ['close'] : []
  return ['edit', 'moderate', 'valide', 'feature', 'keep', ...close, 'delete']
}

/** Tokens of administrators, with the time until which their user is known. */
const known = new Map<string, { userId: string; until: number }>()

/** Verifies the token of a signed-in request and returns its user, who must be an administrator. */
async function administratorOf({ headers }: IncomingMessage): Promise<string> {
  const token = headers.authorization?.slice('Bearer '.length) ?? ''
  const [head, payload = '', signature] = token.split('.')
  const digest = createHmac('sha256', secret).update(`${head}.${payload}`).digest('base64url')
  if (digest !== signature) throw new Error('the signature is wrong')
  const { sub, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString())
  if (exp * 1_000 < Date.now()) throw new Error('the token has expired')
  const recent = known.get(token)
  if (recent !== undefined && performance.now() < recent.until) return recent.userId
  const [user] = await rowsOf(statements.administrator, [sub])
  if (user === undefined) throw new Error('no administrator')
  known.set(token, { userId: user.id, until: performance.now() + 200 })
  return user.id
}

type Step = [Statement, unknown[]]

/** Runs several statements in one transaction together with the audit entry. */
async function change(action: string, [id, userId]: [string, string | null], after: object, steps: Step[]) {
  const client = await writes.connect()
  try {
    await client.query('begin')
    for (const [statement, values] of steps) await rowsOf(statement, values, client)
    const entry = [randomUUID(), action, id, JSON.stringify(after), randomUUID(), userId]
    await rowsOf(statements.insertAuditEntries, entry, client)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

const handlers: [RegExp, Handler][] = [
  [
    /^GET \/communes$/,
    async ({ url }) => {
      const [page, per_page] = ['page', 'per_page'].map((name) => Number(url.searchParams.get(name))) as [
        number,
        number,
      ]
      return {
        data: await rowsOf(statements.communes, [per_page, (page - 1) * per_page]),
        meta: { page, per_page },
      }
    },
  ],
  [
    /^GET \/communes\/([^/]+)\/infos$/,
    async ({ id }) => ({ data: infosOf(await rowsOf(statements.infos, [id])) }),
  ],
  [/^GET \/communes\/([^/]+)$/, async ({ id }) => ({ data: (await rowsOf(statements.commune, [id]))[0] })],
  [/^GET \/publications\/types$/, async () => ({ data: await rowsOf(statements.types) })],
  [/^GET \/communes\/([^/]+)\/publications$/, ({ url, id }) => page(statements.ofCommune, 15, url, [id])],
  [/^GET \/acteurs\/([^/]+)\/publications$/, ({ url, id }) => page(statements.ofActeur, 15, url, [id])],
  [
    /^GET \/publications\/([^/]+)$/,
    async ({ id }) => ({ data: (await rowsOf(statements.publication, [id]))[0] }),
  ],
  [/^GET \/publications$/, ({ url }) => page(statements.search, 15, url, [url.searchParams.get('q')])],
  [
    /^GET \/admin\/publications$/,
    ({ url }) => {
      const status = url.searchParams.get('moderation_status')
      if (status === null) return managedPage(statements.managed, url, [])
      return managedPage(statements.managedByStatus, url, [status])
    },
  ],
  [/^GET \/defibrillateurs$/, ({ url }) => defibrillateurs(url)],
  [
    /^POST \/publications$/,
    async ({ body, userId }) => {
      const id = randomUUID()
      const { acteur_id, title, body: said, commune_id } = body
      await change('publication.create', [id, userId], body, [
        [statements.insertPublication, [id, id, title, said, acteur_id, commune_id]],
        [statements.insertCommune, [id, commune_id]],
      ])
      return { data: (await rowsOf(statements.anyPublication, [id]))[0] }
    },
  ],
  [
    /^PATCH \/admin\/publications\/([^/]+)\/moderate$/,
    async ({ id, body, userId }) => {
      await change('publication.moderate', [id, userId], body, [
        [statements.recordDecision, [randomUUID(), userId, id]],
        [statements.closeReports, [id]],
        [statements.moderate, [id, body.moderation_status]],
      ])
      return { data: (await rowsOf(statements.anyPublication, [id]))[0] }
    },
  ],
  [
    /^POST \/claims$/,
    async ({ body }) => {
      const id = randomUUID()
      const values = [id, body.acteur_id, body.message, body.nom, body.email]
      await change('claim.create', [id, null], {}, [[statements.insertClaim, values]])
      return { data: { id, status: 'pending' } }
    },
  ],
  [
    /^POST \/publications\/([^/]+)\/report$/,
    async ({ id, body }) => {
      const report = randomUUID()
      const values = [report, id, report, body.category, body.reason]
      await change('publication.report', [id, null], body, [[statements.insertReport, values]])
      return { data: { id: report, status: 'received' } }
    },
  ],
  [
    /^POST \/webhooks\/payment$/,
    async ({ body }) => {
      const client = await writes.connect()
      try {
        await client.query('begin')
        await rowsOf(statements.insertEvent, [body.id, body.type, JSON.stringify(body.data)], client)
        await rowsOf(statements.insertJob, [JSON.stringify({ eventId: body.id }), body.id], client)
        await client.query('commit')
      } finally {
        client.release()
      }
      return { data: { received: true } }
    },
  ],
]

type Info = { cle: string; valeur: string; mairie: boolean }
const keys = ['adresse', 'telephone', 'email', 'site_web'] as const

/** The mairie's contact comes first among the rows. */
function infosOf(rows: Info[]) {
  const chosen = keys.map((key) => [key, rows.find(({ cle }) => cle === key)] as const)
  const of = (pick: (row: Info) => unknown) =>
    Object.fromEntries(chosen.map(([key, row]) => [key, row ? pick(row) : null]))
  const used = chosen.map(([, row]) => row)
  return {
    ...of(({ valeur }) => valeur),
    sources: of(({ mairie }) => (mairie ? 'mairie' : 'commune')),
    complements: rows.filter((row) => !row.mairie && !used.includes(row)).map(({ mairie, ...row }) => row),
  }
}

function defibrillateurs(url: URL) {
  const [lat, lon] = [url.searchParams.get('lat'), url.searchParams.get('lon')]
  if (lat !== null) return page(statements.nearest, 15, url, [lat, lon])
  return page(statements.defibrillateurs, 15, url, [url.searchParams.get('q')])
}

createServer(async (request: IncomingMessage, response) => {
  const url = new URL(`http://here${(request.url ?? '').replace('/api/v1', '')}`)
  const asked = `${request.method} ${url.pathname}`
  for (const [pattern, handle] of handlers) {
    const found = pattern.exec(asked)
    if (found === null) continue
    try {
      const userId = request.headers.authorization === undefined ? null : await administratorOf(request)
      const body = request.method === 'GET' ? {} : JSON.parse(await text(request))
      const answer = JSON.stringify(await handle({ url, id: found[1] ?? '', body, userId }))
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(answer),
      }
      response.writeHead(200, headers).end(answer)
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
    return
  }
  response.writeHead(404).end()
}).listen(Number(process.env.PORT), '127.0.0.1')
