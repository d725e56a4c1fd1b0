import { type RawBuilder, sql } from 'kysely'
import Type, { type Static, type TSchema } from 'typebox'
import type { SignedIn } from '../access/caller.ts'
import type { AuditedKind } from '../audit/record.ts'
import { change, create } from '../change.ts'
import { columnList } from '../database/columns.ts'
import type { Database } from '../database/connect.ts'
import { notFound, raise } from '../errors.ts'
import type { SignedInScope } from './http-server.ts'
import { Id, list, record } from './validation/schemas.ts'

type Row = { id: string; version: number }
type Values = Record<string, unknown>

/** Describes one route of a resource. */
type Route = { id: string; summary: string; refusals?: string[] }

/**
 * A small resource: a table with few rows and few fields, and the usual routes. One declaration makes its routes,
 * statements and audit entries.
 */
type Resource<
  Stored extends Row,
  Shown extends TSchema,
  Query extends TSchema,
  Create extends TSchema,
  Update extends TSchema,
> = {
  /** Path of the list; a record is below it, by its key. */
  path: string
  kind: AuditedKind
  rows: TableRows<Stored>
  /** The parameter of a record's path, where it is not `id`. */
  key?: { name: string; schema: TSchema }
  /** The rule that guards all routes, if the scope has no area. */
  needs?: string
  /** Throws unless the caller may work with records of this kind. */
  authorise?(caller: SignedIn, row: Partial<Stored>): void
  /** A record in responses. */
  shown: Shown
  present(db: Database, rows: Stored[]): Static<Shown>[] | Promise<Static<Shown>[]>
  list: Route & {
    query?: Query
    sort: RawBuilder<unknown>
    where?(query: Static<Query>): RawBuilder<unknown>
  }
  get: Route
  create: Route & { body: Create; values(tx: Database, body: Static<Create>): Values | Promise<Values> }
  update: Route & {
    body: Update
    values(tx: Database, body: Static<Update>, before: Stored): Values | Promise<Values>
  }
  /** Marks the record as deleted. */
  delete?: Route
}

/** Limit of a list without pages. */
const most = 1_000

type Request = { params: Record<string, string>; query: unknown; body: unknown; caller: SignedIn }
type Reply = { code(status: number): { send(body: unknown): unknown } }
type Add = (path: string, options: object, handler: (request: Request, reply: Reply) => unknown) => void

/** Adds the routes of a small resource. */
export function resourceRoutes<
  Stored extends Row,
  Shown extends TSchema,
  Query extends TSchema,
  Create extends TSchema,
  Update extends TSchema,
>(
  scope: SignedInScope,
  { db, reads, clock }: { db: Database; reads: Database; clock: () => Date },
  resource: Resource<Stored, Shown, Query, Create, Update>,
): void {
  // Schemas that are type parameters tell Fastify's types nothing: each handler states what its schema ensures.
  const routes = scope as unknown as Record<'get' | 'post' | 'patch' | 'delete', Add>
  const { path, kind, rows, shown, authorise } = resource
  const { name: key, schema: keySchema } = resource.key ?? { name: 'id', schema: Id() }
  const one = `${path}/:${key}`
  const params = Type.Object({ [key]: keySchema })
  const present = async (on: Database, row: Stored): Promise<Static<Shown>> =>
    (await resource.present(on, [row]))[0] ?? raise(notFound())
  const allowed = (caller: SignedIn) => (_tx: Database, row: Stored) => authorise?.(caller, row)
  const written = { needs: resource.needs }

  const options = ({ id, summary, refusals }: Route, config: object, schema: object) => ({
    config: { ...(resource.needs && written), ...config, ...(refusals && { refusals }) },
    schema: { operationId: id, summary, ...schema },
  })

  routes.get(
    path,
    options(
      resource.list,
      {},
      { ...(resource.list.query && { querystring: resource.list.query }), response: { 200: list(shown) } },
    ),
    async ({ query, caller }) => {
      authorise?.(caller, query as Partial<Stored>)
      const where = resource.list.where?.(query as Static<Query>)
      return { data: await resource.present(reads, await rows.list(reads, resource.list.sort, where)) }
    },
  )

  const creates = { audits: `${kind.entity}.create`, location: `${path}/{${key}}` }
  routes.post(
    path,
    options(resource.create, creates, { body: resource.create.body, response: { 201: record(shown) } }),
    async ({ body, caller }, reply) => {
      authorise?.(caller, body as Partial<Stored>)
      const wanted = { action: creates.audits, read: present }
      const data = await create(db, caller, rows.audited(kind), wanted, async (tx) =>
        rows.insert(tx, await resource.create.values(tx, body as Static<Create>)),
      )
      return reply.code(201).send({ data })
    },
  )

  routes.get(
    one,
    options(resource.get, {}, { params, response: { 200: record(shown) } }),
    async ({ params, caller }) => {
      const row = await rows.get(reads, params[key] ?? '')
      authorise?.(caller, row)
      return { data: await present(reads, row) }
    },
  )

  const updates = { audits: `${kind.entity}.update` }
  routes.patch(
    one,
    options(resource.update, updates, {
      params,
      body: resource.update.body,
      response: { 200: record(shown) },
    }),
    async ({ params, body, caller }) => {
      const wanted = { id: params[key] ?? '', action: updates.audits, authorise: allowed(caller) }
      const data = await change(db, caller, rows.audited(kind), wanted, async (tx, before, save) => {
        const values = await resource.update.values(tx, body as Static<Update>, before)
        return present(tx, await save(values))
      })
      return { data }
    },
  )

  if (resource.delete === undefined) return
  const deletes = { audits: `${kind.entity}.delete` }
  routes.delete(
    one,
    options(resource.delete, deletes, { params, response: { 200: record(shown) } }),
    async ({ params, caller }) => {
      const wanted = { id: params[key] ?? '', action: deletes.audits, authorise: allowed(caller) }
      const data = await change(db, caller, rows.audited(kind), wanted, async (tx, _before, save) => {
        const deleted_at = clock()
        const related = { before: { deleted_at: null }, after: { deleted_at } }
        return present(tx, await save({ deleted_at }, related))
      })
      return { data: { ...(data as object), can: [] } }
    },
  )
}

type TableRows<Stored extends Row> = ReturnType<typeof tableRows<Stored>>

/** Returns the statements that read and write rows of a table by their key. `shown` is the condition of all reads. */
export function tableRows<Stored extends Row>(
  name: string,
  fields: object,
  { key = 'id', shown = sql`true` }: { key?: string; shown?: RawBuilder<unknown> } = {},
) {
  const table = sql.table(name)
  const columns = key === 'id' ? columnList(fields) : sql`${columnList(fields)}, ${sql.ref(key)} as id`
  const find = async (db: Database, id: string, lock: RawBuilder<unknown>): Promise<Stored> => {
    const { rows } = await sql<Stored>`
      select ${columns} from ${table} where ${sql.ref(key)} = ${id} and ${shown} ${lock}`.execute(db)
    return rows[0] ?? raise(notFound())
  }
  const get = (db: Database, id: string) => find(db, id, sql``)
  /** Locks a row until the transaction ends; 404 if it does not exist. */
  const lock = (tx: Database, id: string) => find(tx, id, sql`for no key update`)

  async function list(
    db: Database,
    sort: RawBuilder<unknown>,
    where = sql<unknown>`true`,
  ): Promise<Stored[]> {
    const { rows } = await sql<Stored>`
      select ${columns} from ${table} where ${where} and ${shown}
      order by ${sort} limit ${sql.lit(most)}`.execute(db)
    return rows
  }

  async function insert(tx: Database, values: Values): Promise<Stored> {
    const { rows } = await sql<Stored>`
      insert into ${table} (${sql.join(Object.keys(values).map((column) => sql.ref(column)))})
      values (${sql.join(Object.values(values))}) returning ${columns}`.execute(tx)
    return rows[0] ?? raise(notFound())
  }

  async function write(tx: Database, { id }: Stored, values: Values): Promise<Stored> {
    const set = Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
    const { rows } = await sql<Stored>`
      update ${table} set ${sql.join(set)} where ${sql.ref(key)} = ${id} returning ${columns}`.execute(tx)
    return rows[0] ?? raise(notFound())
  }

  /** Returns the rows as audited records. A key that is a field of its own is not stored twice. */
  const audited = (kind: AuditedKind) => ({
    ...kind,
    lock,
    write,
    auditedValues: ({ id, ...row }: Stored): Values => (key === 'id' ? { id, ...row } : row),
  })

  return { list, get, insert, audited }
}
