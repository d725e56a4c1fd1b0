import type { SignedIn } from '../../platform/access/caller.ts'
import { withCanOf } from '../../platform/access/rules.ts'
import type { Database } from '../../platform/database/connect.ts'
import { conflict, invalid, notFound, raise } from '../../platform/errors.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { list, record } from '../../platform/http/validation/schemas.ts'
import { onlyOnce } from '../../platform/idempotency.ts'
import type { Deps } from '../../platform/module.ts'
import { deleteView, findPreferences, insertView, listViews, putPreferences } from './queries.ts'
import { ById, Preferences, View, ViewCreate, ViewsQuery, viewActions } from './schema.ts'

const withCan = withCanOf(viewActions)

export function preferencesRoutes(scope: SignedInScope, { db, reads }: Deps): void {
  scope.get(
    '/me/preferences',
    {
      schema: {
        operationId: 'getPreferences',
        summary: "Read one's preferences in the back-office",
        response: { 200: record(Preferences) },
      },
    },
    async ({ caller }) => ({ data: await findPreferences(reads, caller.user.id) }),
  )

  scope.put(
    '/me/preferences',
    {
      config: { needs: 'own.change' },
      schema: {
        operationId: 'setPreferences',
        summary: 'Replace what one prefers',
        body: Preferences,
        response: { 200: record(Preferences) },
      },
    },
    async ({ body, caller }) => {
      await setPreferences(db, caller, body)
      return { data: body }
    },
  )

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

/** Replaces the caller's preferences. They are personal settings and not audited. */
function setPreferences(db: Database, caller: SignedIn, preferences: Preferences): Promise<void> {
  return db
    .transaction()
    .execute((tx) => onlyOnce(tx, caller, () => putPreferences(tx, caller.user.id, preferences)))
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
