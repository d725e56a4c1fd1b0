import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { roles } from '../../platform/access/areas.ts'
import type { SignedIn, User } from '../../platform/access/caller.ts'
import { withCanOf } from '../../platform/access/rules.ts'
import type { Database } from '../../platform/database/connect.ts'
import { conflict, type Errors, errorOf, invalid, notFound, raise } from '../../platform/errors.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import {
  Can,
  filledLine,
  Id,
  list,
  nullable,
  oneOf,
  ResponseTimestamp,
  record,
  strictObject,
  text,
  titled,
} from '../../platform/http/validation/schemas.ts'
import { onlyOnce } from '../../platform/idempotency.ts'
import type { Deps, Module } from '../../platform/module.ts'
import { deleteOf, type Personal, rowsOf } from '../../platform/personal.ts'

const savedViewsErrors = {
  view_name_taken: {
    status: 409,
    en: 'You already have a view of this name for this list.',
    fr: 'Vous avez déjà une vue de ce nom pour cette liste.',
  },
} satisfies Errors

const viewNameTaken = errorOf(savedViewsErrors, 'view_name_taken')

const listName = '^[a-z][a-z-]{0,39}$'

const listField = Type.String({
  pattern: listName,
  description: 'The list it is a view of',
  examples: ['publications'],
})
const role = oneOf(roles, 'Colleagues with this role see it too')

const ViewCreate = strictObject({
  list: listField,
  name: filledLine(100, { examples: ['Signalées de ma commune'] }),
  query: text(2_000, { description: 'The filters as in an address', examples: ['reported=true'] }),
  role: Type.Optional(nullable(role)),
})
type ViewCreate = Static<typeof ViewCreate>

/** Only the owner of a view can delete it. */
const viewActions = { delete: ({ mine }: { mine: boolean }) => mine }

const View = titled('SavedView', {
  id: Id(),
  list: listField,
  name: Type.String({ examples: ['Signalées de ma commune'] }),
  query: Type.String({ examples: ['reported=true'] }),
  role: nullable(role),
  mine: Type.Boolean({ description: 'False for a colleague’s shared view', examples: [true] }),
  created_at: ResponseTimestamp(),
  can: Can(viewActions),
})
/** A view as selected from the database. */
type View = Omit<Static<typeof View>, 'can'>

const ViewsQuery = Type.Object({ list: Type.Optional(listField) })
const ById = Type.Object({ id: Id() })

const withCan = withCanOf(viewActions)

function savedViewsRoutes(scope: SignedInScope, { db, reads }: Deps): void {
  scope.get(
    '/me/views',
    {
      schema: {
        operationId: 'listViews',
        summary: 'Saved filters: one’s own, and those that colleagues share',
        querystring: ViewsQuery,
        response: { 200: list(View) },
      },
    },
    async ({ query, caller }) => ({ data: (await listViews(reads, caller.user, query.list)).map(withCan) }),
  )

  scope.post(
    '/me/views',
    {
      config: { needs: 'own.change', refusals: ['conflict', 'view_name_taken'], location: '/me/views' },
      schema: {
        operationId: 'createView',
        summary: 'Save filters under a name',
        body: ViewCreate,
        response: { 201: record(View) },
      },
    },
    async ({ body, caller }, reply) =>
      reply.code(201).send({ data: withCan(await saveView(db, caller, body)) }),
  )

  scope.delete(
    '/me/views/:id',
    {
      config: { needs: 'own.change' },
      schema: {
        operationId: 'deleteView',
        summary: 'Delete one’s own saved filters',
        params: ById,
        response: { 200: record(View) },
      },
    },
    async ({ params, caller }) => ({
      data: { ...((await deleteView(db, caller.user.id, params.id)) ?? raise(notFound())), can: [] },
    }),
  )
}

/** Saves a view; 422 for a role the caller does not have, 409 for a name in use or above the limit. */
function saveView(db: Database, caller: SignedIn, { role = null, ...view }: ViewCreate): Promise<View> {
  if (role !== null && !caller.user.roles.includes(role)) throw invalid('role', notYours)
  const values = { ...view, name: view.name.trim(), role, id: uuidv7(), user_id: caller.user.id }
  return db
    .transaction()
    .execute((tx) => onlyOnce(tx, caller, async () => (await insertView(tx, values)) ?? raise(conflict())))
}

const notYours = { en: 'must be one of your roles', fr: 'doit être l’un de vos rôles' }

/** Limit on a person's own views, so that the list needs no pagination. */
export const maxViews = 200

/** Lists the user's own views, then those shared with the user's roles. */
async function listViews(db: Database, { id, roles }: User, list: string | undefined): Promise<View[]> {
  const ofList = list === undefined ? sql`true` : sql`list = ${list}`
  const { rows } = await sql<View>`
    select id, list, name, query, role, user_id = ${id} as mine, created_at from saved_views
    where (user_id = ${id} or role = any(${roles}::text[])) and ${ofList}
    order by (user_id = ${id}) desc, lower(name), id limit 1000`.execute(db)
  return rows
}

/** Inserts a view; null if the person has reached the limit. */
async function insertView(
  tx: Database,
  values: Omit<ViewCreate, 'role'> & { id: string; user_id: string; role: View['role'] },
): Promise<View | null> {
  const { id, user_id, list, name, query, role } = values
  const { rows } = await sql<View>`
    insert into saved_views (id, user_id, list, name, query, role)
    select ${id}, ${user_id}, ${list}, ${name}, ${query}, ${role}
    where (select count(*) from saved_views where user_id = ${user_id}) < ${maxViews}
    returning id, list, name, query, role, true as mine, created_at`.execute(tx)
  return rows[0] ?? null
}

/** Deletes the user's own view and returns it; undefined if there is none. */
async function deleteView(db: Database, userId: string, id: string): Promise<View | undefined> {
  const { rows } = await sql<View>`
    delete from saved_views where id = ${id} and user_id = ${userId}
    returning id, list, name, query, role, true as mine, created_at`.execute(db)
  return rows[0]
}

/** Saved views of the person; an erasure deletes them. */
const viewsOfPerson: Personal = {
  name: 'saved-views',
  title: { en: 'Saved views', fr: 'Vues enregistrées' },
  erasure: { en: 'Deleted.', fr: 'Supprimées.' },
  kind: null,
  find: ({ userIds }) => sql`
    select id::text as id, null::uuid as record_id, null::text as label
    from saved_views where user_id = any(${userIds}::uuid[])`,
  read: rowsOf('saved_views', sql`list, name, query, role, created_at`),
  erase: deleteOf('saved_views'),
}

export const savedViews = {
  name: 'saved-views',
  about: 'Filters of lists that colleagues save, and share with a role',
  routes: { bearer: savedViewsRoutes },
  errors: savedViewsErrors,
  constraints: { saved_views_named: viewNameTaken },
  personal: [viewsOfPerson],
} satisfies Module
