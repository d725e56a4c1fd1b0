import { leftOf } from '../../platform/access/rules.ts'
import { type Config, settingsOf } from '../../platform/config/config.ts'
import type { Database } from '../../platform/database/connect.ts'
import { prepared } from '../../platform/database/pools/prepared.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { ListPage, listPage } from '../../platform/http/listing/list-page.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { paymentsSettings } from '../payments/settings.ts'
import { mapCurrentSubscriptions } from '../payments/subscriptions/queries.ts'
import { listPresent } from '../presence/queries.ts'
import { bulkRoutes } from './bulk.ts'
import { listMerged } from './merge/queries.ts'
import { mergeRoutes } from './merge/routes.admin.ts'
import {
  type ActeurRow,
  acteursList,
  getActeur,
  listGroups,
  listMembers,
  mapCommunes,
  mapLogos,
} from './queries.ts'
import { findRefresh } from './refresh-lists.ts'
import { createActeur, decideActeur, deleteActeur, restoreActeur, setActive, updateActeur } from './rules.ts'
import {
  ActeurCreate,
  ActeurRead,
  ActeursQuery,
  ActeurUpdate,
  ActiveBody,
  AdminActeur,
  acteurActions,
  BadgeBody,
  ById,
  CanPublishBody,
  ValidateBody,
} from './schema.ts'

const changing = ['conflict', 'precondition_failed']

export function acteursAdminRoutes(scope: SignedInScope, deps: Deps): void {
  readRoutes(scope, deps)
  changeRoutes(scope, deps)
  decisionRoutes(scope, deps)
  bulkRoutes(scope, deps)
  mergeRoutes(scope, deps)
}

function readRoutes(scope: SignedInScope, { reads, lists, config }: Deps): void {
  scope.get(
    '/admin/acteurs',
    {
      schema: {
        operationId: 'listActeurs',
        summary: 'List acteurs, newest first by default',
        querystring: ActeursQuery,
        response: { 200: ListPage(AdminActeur) },
      },
    },
    async ({ query }) =>
      listPage(lists, acteursList, query, (rows) => withSubscriptions(prepared(lists), config, rows)),
  )

  scope.get(
    '/admin/acteurs/:id',
    {
      schema: {
        operationId: 'getActeur',
        summary: 'Read an acteur, also a deleted one, with its members',
        params: ById,
        response: { 200: record(ActeurRead) },
      },
    },
    async ({ params, caller }) => {
      const [acteur, members, groups, merged, refreshing, colleagues] = await Promise.all([
        getActeur(reads, params.id),
        listMembers(reads, params.id),
        listGroups(reads, params.id),
        listMerged(reads, params.id),
        findRefresh(reads, params.id),
        listPresent(reads, caller, { kind: 'acteur', id: params.id }),
      ])
      return {
        data: {
          ...(await withSubscription(reads, config, acteur)),
          members,
          groups,
          merged,
          refreshing,
          present: colleagues,
        },
      }
    },
  )
}

/** Routes that create, update, delete and restore an acteur. */
function changeRoutes(scope: SignedInScope, deps: Deps): void {
  const { db, reads, config } = deps
  const present = (row: ActeurRow) => withSubscription(reads, config, row)

  scope.post(
    '/admin/acteurs',
    {
      config: { audits: 'acteur.create', location: '/admin/acteurs/{id}' },
      schema: {
        operationId: 'createActeur',
        summary: 'Create an acteur, not yet validated',
        body: ActeurCreate,
        response: { 201: record(AdminActeur) },
      },
    },
    async ({ body, caller }, reply) => {
      return reply.code(201).send({ data: await present(await createActeur(db, caller, body)) })
    },
  )

  scope.patch(
    '/admin/acteurs/:id',
    {
      config: { audits: 'acteur.update', refusals: changing },
      schema: {
        operationId: 'updateActeur',
        summary: 'Update an acteur; its slug does not change',
        params: ById,
        body: ActeurUpdate,
        response: { 200: record(AdminActeur) },
      },
    },
    async ({ params, body, caller }) => ({
      data: await present(await updateActeur(db, caller, params.id, body, async (_tx, row) => row)),
    }),
  )

  scope.delete(
    '/admin/acteurs/:id',
    {
      config: { audits: 'acteur.delete', refusals: ['precondition_failed'] },
      schema: {
        operationId: 'deleteActeur',
        summary: 'Delete an acteur so that it can be restored; what it published is no longer public',
        params: ById,
        response: { 200: record(AdminActeur) },
      },
    },
    async ({ params, caller }) => ({
      data: await present(await deleteActeur(deps, caller, params.id)),
    }),
  )

  scope.delete(
    '/admin/acteurs/:id/restore',
    {
      config: { audits: 'acteur.restore', refusals: ['precondition_failed'] },
      schema: {
        operationId: 'restoreActeur',
        summary: 'Restore a deleted acteur, with what it published',
        params: ById,
        response: { 200: record(AdminActeur) },
      },
    },
    async ({ params, caller }) => ({
      data: await present(await restoreActeur(deps, caller, params.id)),
    }),
  )
}

/** Routes for an administrator's decisions about an acteur. */
function decisionRoutes(scope: SignedInScope, deps: Deps): void {
  const { reads, config } = deps
  const present = (row: ActeurRow) => withSubscription(reads, config, row)

  scope.patch(
    '/admin/acteurs/:id/validate',
    {
      config: { audits: 'acteur.validate', refusals: changing },
      schema: {
        operationId: 'validateActeur',
        summary: 'Validate an acteur, or take its validation back',
        params: ById,
        body: ValidateBody,
        response: { 200: record(AdminActeur) },
      },
    },
    async ({ params, body, caller }) => {
      const { valide = true } = body ?? {}
      return {
        data: await present(await decideActeur(deps, caller, params.id, 'validate', { valide })),
      }
    },
  )

  scope.patch(
    '/admin/acteurs/:id/badge',
    {
      config: { audits: 'acteur.badge', refusals: changing },
      schema: {
        operationId: 'setActeurBadge',
        summary: 'Set the badge of an acteur, or remove it',
        params: ById,
        body: BadgeBody,
        response: { 200: record(AdminActeur) },
      },
    },
    async ({ params, body, caller }) => ({
      data: await present(await decideActeur(deps, caller, params.id, 'badge', body)),
    }),
  )

  scope.patch(
    '/admin/acteurs/:id/active',
    {
      config: { audits: 'acteur.active', refusals: changing },
      schema: {
        operationId: 'setActeurActive',
        summary: 'Activate or deactivate an acteur; what an inactive one published is not public',
        params: ById,
        body: ActiveBody,
        response: { 200: record(AdminActeur) },
      },
    },
    async ({ params, body, caller }) => ({
      data: await present(await setActive(deps, caller, params.id, body)),
    }),
  )

  scope.post(
    '/admin/acteurs/:id/can-publish',
    {
      config: { audits: 'acteur.can_publish', refusals: changing },
      schema: {
        operationId: 'setActeurCanPublish',
        summary: 'Grant or revoke the right to publish without moderation',
        params: ById,
        body: CanPublishBody,
        response: { 200: record(AdminActeur) },
      },
    },
    async ({ params, body, caller }) => ({
      data: await present(await decideActeur(deps, caller, params.id, 'can_publish', body)),
    }),
  )
}

/** Adds logo, commune, subscription and allowed actions to the acteurs, with one statement each for all rows. */
async function withSubscriptions(db: Database, config: Config, rows: ActeurRow[]) {
  const { plans } = settingsOf(config, paymentsSettings)
  const [subscriptions, communes, logos] = await Promise.all([
    mapCurrentSubscriptions(
      db,
      rows.map(({ id }) => id),
      plans,
    ),
    mapCommunes(
      db,
      rows.flatMap(({ commune_id }) => commune_id ?? []),
    ),
    mapLogos(
      db,
      rows.flatMap(({ logo }) => logo ?? []),
    ),
  ])
  return rows.map((row) => ({
    ...row,
    can: leftOf(acteurActions, row),
    logo: (row.logo && logos.get(row.logo)) || null,
    commune: (row.commune_id && communes.get(row.commune_id)) || null,
    subscription: subscriptions.get(row.id) ?? null,
  }))
}

async function withSubscription(db: Database, config: Config, row: ActeurRow) {
  const [acteur] = await withSubscriptions(db, config, [row])
  return acteur ?? raise(notFound())
}
