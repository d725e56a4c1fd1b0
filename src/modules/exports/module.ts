import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import Type from 'typebox'
import { opens } from '../../platform/access/areas.ts'
import type { SignedIn, User } from '../../platform/access/caller.ts'
import { create } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { ApiError, adminRequired, invalid, notFound, raise, validationFailed } from '../../platform/errors.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { HttpServer, SignedInScope } from '../../platform/http/http-server.ts'
import { type Language, languageOf } from '../../platform/http/language.ts'
import { exported, type FoundList } from '../../platform/http/listing/csv-lists.ts'
import { type Filters, filterNames } from '../../platform/http/listing/csv-route.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import { deletionOf, inBatches } from '../../platform/jobs/sweeps.ts'
import type { Deps, Module, RouteDeps } from '../../platform/module.ts'
import { type Personal, rowsOf } from '../../platform/personal.ts'
import { ByToken, Export, ExportCreate, File } from './schema.ts'

type Link = { id: string; list: string; query: string; language: Language }

/** Inserts a link that is valid for a minute, by the clock of the database, which all instances share. */
async function insertLink(
  tx: Database,
  { id, list, query, language, userId, tokenHash }: Link & { userId: string; tokenHash: Buffer },
): Promise<void> {
  await sql`
    insert into export_links (id, token_hash, user_id, list, query, language, expires_at)
    values (${id}, ${tokenHash}, ${userId}, ${list}, ${query}, ${language}, now() + interval '1 minute')`.execute(
    tx,
  )
}

/** Returns the user's link if it is valid and unused. */
async function findLink(db: Database, tokenHash: Buffer, userId: string): Promise<Link | null> {
  const { rows } = await sql<Link>`
    select id, list, query, language from export_links
    where token_hash = ${tokenHash} and user_id = ${userId} and expires_at > now()`.execute(db)
  return rows[0] ?? null
}

/** Deletes a link. Of several concurrent calls, one returns true. */
async function useLink(db: Database, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from export_links where id = ${id}`.execute(db)
  return numAffectedRows === 1n
}

/** Deletes links that expired unused. */
export const deleteOldLinks = deletionOf('export_links', sql`expires_at < now()`)

/** Refuses users whose roles do not open the list. A list without an area checks the area of its record. */
function requireList(user: User, { area }: FoundList): void {
  if (area === null ? user.roles.length === 0 : !opens(user.roles, area)) throw adminRequired()
}

/** Returns the filters; 422 names them as parts of `query`. */
function readFilters(list: FoundList, query: string): Filters {
  try {
    return list.readFilters(query)
  } catch (error) {
    throw error instanceof ApiError ? withinQuery(error) : error
  }
}

/** Replaces the fields of a 422 by fields of the body. */
function withinQuery(error: ApiError): ApiError {
  if (error.details === undefined) return error
  return validationFailed(error.details.map(({ field, message }) => ({ field: `query.${field}`, message })))
}

/**
 * Creates a one-time link and returns the last part of its address. The export is audited here, and not again
 * when the file is sent. The stored response of a retried request contains the address, which serves nobody else.
 */
async function createExport(
  db: Database,
  caller: SignedIn,
  { list, query = '', filters, language }: ExportCreate & { filters: Filters; language: Language },
): Promise<string> {
  const { token } = await create(
    db,
    caller,
    { ...exported, auditedValues: () => ({ list, filters: filterNames(filters) }) },
    { action: 'export.create' },
    async (tx) => {
      const made = { id: uuidv7(), token: randomBytes(32).toString('base64url') }
      const link = { id: made.id, list, query, language }
      await insertLink(tx, { ...link, userId: caller.user.id, tokenHash: digestOf(made.token) })
      return made
    },
  )
  return token
}

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** The address of a file, which a browser opens by itself: it sends its cookie and names no application. */
function downloadRoutes(scope: HttpServer, { db, lists, csv, authenticate, sources }: RouteDeps): void {
  scope.get(
    '/admin/exports/:token',
    {
      config: {
        load: 'list',
        needs: 'record.open',
        refusals: ['unauthenticated', 'enrolment_required', 'admin_required', 'not_found'],
      },
      // A HEAD would use the address up.
      exposeHeadRoute: false,
      schema: {
        operationId: 'downloadExport',
        summary: 'Download a list as CSV, once, in a session of the user who created the address',
        params: ByToken,
        response: {
          200: { description: 'The file', content: { 'text/csv': { schema: File } } },
        },
      },
    },
    async (request, reply) => {
      const user = await authenticate.required(request)
      request.caller = { ...request.caller, user, source: await sources.find('backoffice') }
      const found = await findLink(lists, digestOf(request.params.token), user.id)
      const { id, list: path, query, language } = found ?? raise(notFound())
      const list = csv.find(path) ?? raise(notFound())
      requireList(user, list)
      const filters = list.readFilters(query)
      // Used up only when nothing can refuse any more: after a 503, the same address still works.
      const begin = async () => (await useLink(db, id)) || raise(notFound())
      return list.send(request, reply, { filters, language, begin })
    },
  )
}

function exportsAdminRoutes(scope: SignedInScope, { db, csv, config }: RouteDeps): void {
  scope.post(
    '/admin/exports',
    {
      config: { audits: 'export.create', needs: 'record.open', refusals: ['not_found'] },
      schema: {
        operationId: 'createExport',
        summary: 'Create an address from which a browser downloads a list as CSV, once and within a minute',
        body: ExportCreate,
        response: { 201: record(Export) },
      },
    },
    async (request, reply) => {
      const { body, caller, headers } = request
      const list = csv.find(body.list) ?? raise(invalid('list', unknownList))
      requireList(caller.user, list)
      const filters = readFilters(list, body.query ?? '')
      await list.check(request, reply, filters).catch((error) => {
        throw error instanceof ApiError ? withinQuery(error) : error
      })
      const language = languageOf(headers['accept-language'])
      const path = `/api/v1/admin/exports/${await createExport(db, caller, { ...body, filters, language })}`
      // Not `config.location`: the response has no field for the last part of the path.
      return reply
        .code(201)
        .header('location', path)
        .send({ data: { url: `${config.publicUrl}${path}` } })
    },
  )
}

const unknownList = {
  en: 'must be a list of the back-office that has a cursor',
  fr: 'doit être une liste du back-office qui a un curseur',
}

type Row = { id: string }

/**
 * Links that the person has created and not used. An erasure deletes everybody's: their filters may name the
 * person, and a colleague who clicked a moment ago clicks again.
 */
const linksOfPerson: Personal = {
  name: 'export_links',
  title: {
    en: 'Unused download addresses of lists',
    fr: 'Adresses de téléchargement de listes non utilisées',
  },
  erasure: {
    en: 'Are deleted, with those of colleagues, because their filters may name the person.',
    fr: 'Sont supprimées, avec celles des collègues, car leurs filtres peuvent nommer la personne.',
  },
  kind: null,
  find: ({ userIds }) => sql`
    select id::text as id, null::uuid as record_id, list as label
    from export_links where user_id = any(${userIds}::uuid[])`,
  read: rowsOf('export_links', sql`list, query, created_at, expires_at`),
  erase: async (tx) => {
    const { rows } = await sql<Row>`delete from export_links returning id`.execute(tx)
    return rows.map(({ id }) => id)
  },
}

const deleteOld = defineJob('exports.delete-old', Type.Object({}))

/** Deletes links that nobody used: their filters may contain names of people. */
function deleteOldHandler({ db }: Pick<Deps, 'db'>): Handler {
  return handle(deleteOld, (_payload, { signal }) =>
    inBatches(500, signal, (batch) => deleteOldLinks(db, batch)),
  )
}

const deleteOldSchedule: Schedule = schedule(deleteOld, '45 * * * *', {})

export const exports = {
  name: 'exports',
  about: 'Lists of the back-office as files, for browsers',
  routes: { office: exportsAdminRoutes, navigation: downloadRoutes },
  jobs: { handlers: (deps) => [deleteOldHandler(deps)], schedules: [deleteOldSchedule] },
  personal: [linksOfPerson],
} satisfies Module
