import type { SignedInScope } from '../../platform/http/http-server.ts'
import { ListPage, listPage } from '../../platform/http/listing/list-page.ts'
import { list, record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { deliveriesList } from './deliveries.ts'
import { webhookRules } from './permissions.ts'
import { getWebhook, listWebhooks, type Owner } from './queries.ts'
import {
  createWebhook,
  deleteWebhook,
  requireManager,
  resendDelivery,
  rotateWebhook,
  testWebhook,
  updateWebhook,
} from './rules.ts'
import {
  ByActeur,
  ByActeurAndDelivery,
  ByActeurAndId,
  ByDelivery,
  ById,
  DeliveriesQuery,
  NewWebhook,
  Webhook,
  WebhookCreate,
  WebhookDelivery,
  WebhookUpdate,
} from './schema.ts'

/** The paths, parameters and texts that differ by the owner of the webhooks. */
type Texts = { path: string; name: '' | 'Acteur'; of: string; needs?: string; refusals: string[] }
type Params = {
  ByOwner?: typeof ByActeur
  OfOwner: typeof ByActeurAndId | typeof ById
  OfDelivery: typeof ByActeurAndDelivery | typeof ByDelivery
}

/** The webhooks of the platform, which hear about all records. */
export const platformWebhookRoutes = (scope: SignedInScope, deps: Deps) =>
  ownerRoutes(scope, deps, {
    path: '/admin/webhooks',
    ...{ name: '', of: 'of the platform', refusals: [] },
    ...{ OfOwner: ById, OfDelivery: ByDelivery },
  })

/** The webhooks of an acteur, which hear about its own records. */
export const acteurWebhookRoutes = (scope: SignedInScope, deps: Deps) =>
  ownerRoutes(scope, deps, {
    path: '/me/acteurs/:acteurId/webhooks',
    ...{ name: 'Acteur', of: 'of an acteur', needs: webhookRules.manage.name, refusals: ['forbidden'] },
    ...{ ByOwner: ByActeur, OfOwner: ByActeurAndId, OfDelivery: ByActeurAndDelivery },
  })

const ownerOf = (params: unknown): Owner => (params as { acteurId?: string }).acteurId ?? null

function ownerRoutes(scope: SignedInScope, deps: Deps, texts: Texts & Params): void {
  readingRoutes(scope, deps, texts)
  changingRoutes(scope, deps, texts)
}

function readingRoutes(
  scope: SignedInScope,
  { reads, lists }: Deps,
  { path, name, of, needs, refusals, ByOwner, OfOwner }: Texts & Params,
): void {
  const guarded = { refusals, ...(needs !== undefined && { needs }) }
  scope.get(
    path,
    {
      config: { ...guarded, load: 'list' },
      schema: {
        operationId: `list${name}Webhooks`,
        summary: `The webhooks ${of}, newest first`,
        ...(ByOwner !== undefined && { params: ByOwner }),
        response: { 200: list(Webhook) },
      },
    },
    async ({ params, caller }) => {
      await requireManager(lists, caller.user, ownerOf(params))
      return { data: await listWebhooks(lists, ownerOf(params)) }
    },
  )

  scope.get(
    `${path}/:id`,
    {
      config: guarded,
      schema: {
        operationId: `get${name}Webhook`,
        summary: `Read a webhook ${of}`,
        params: OfOwner,
        response: { 200: record(Webhook) },
      },
    },
    async ({ params, caller }) => {
      await requireManager(reads, caller.user, ownerOf(params))
      return { data: await getWebhook(reads, ownerOf(params), params.id) }
    },
  )

  scope.get(
    `${path}/:id/deliveries`,
    {
      config: guarded,
      schema: {
        operationId: `list${name}WebhookDeliveries`,
        summary: `What a webhook ${of} was sent in the last 30 days, newest first`,
        params: OfOwner,
        querystring: DeliveriesQuery,
        response: { 200: ListPage(WebhookDelivery) },
      },
    },
    async ({ params, query, caller }) => {
      await requireManager(lists, caller.user, ownerOf(params))
      const { id } = await getWebhook(lists, ownerOf(params), params.id)
      return listPage(lists, deliveriesList, { ...query, webhook_id: id })
    },
  )
}

function changingRoutes(
  scope: SignedInScope,
  deps: Deps,
  { path, name, of, needs, refusals, ByOwner, OfOwner, OfDelivery }: Texts & Params,
): void {
  const guarded = { limit: 'webhook', ...(needs !== undefined && { needs }) }
  const named = (params: { id: string }) => ({ owner: ownerOf(params), id: params.id })
  const update = [...refusals, 'precondition_failed']
  scope.post(
    path,
    {
      config: {
        ...guarded,
        audits: 'webhook.create',
        confirms: true,
        refusals: [...refusals, 'conflict'],
        location: `${path}/{id}`,
      },
      schema: {
        operationId: `create${name}Webhook`,
        summary: `Tell a program of changes: a webhook ${of}; its secret is shown once`,
        ...(ByOwner !== undefined && { params: ByOwner }),
        body: WebhookCreate,
        response: { 201: record(NewWebhook) },
      },
    },
    async ({ params, body, caller }, reply) =>
      reply.code(201).send({ data: await createWebhook(deps, caller, ownerOf(params), body) }),
  )

  scope.patch(
    `${path}/:id`,
    {
      config: { ...guarded, audits: 'webhook.update', confirms: true, refusals: update },
      schema: {
        operationId: `update${name}Webhook`,
        summary: `Change the address or the types of a webhook ${of}, disable or enable it`,
        params: OfOwner,
        body: WebhookUpdate,
        response: { 200: record(Webhook) },
      },
    },
    async ({ params, body, caller }) => ({
      data: await updateWebhook(deps, caller, named(params), body, deps.clock()),
    }),
  )

  scope.delete(
    `${path}/:id`,
    {
      config: { ...guarded, audits: 'webhook.delete', refusals: update },
      schema: {
        operationId: `delete${name}Webhook`,
        summary: `Delete a webhook ${of} with its deliveries; the response shows it as it last was`,
        params: OfOwner,
        response: { 200: record(Webhook) },
      },
    },
    async ({ params, caller }) => ({ data: await deleteWebhook(deps, caller, named(params)) }),
  )

  scope.post(
    `${path}/:id/rotate`,
    {
      config: { ...guarded, audits: 'webhook.rotate', confirms: true, refusals: update },
      schema: {
        operationId: `rotate${name}Webhook`,
        summary: `Replace the secret of a webhook ${of}; the former one signs too for a day`,
        params: OfOwner,
        response: { 200: record(NewWebhook) },
      },
    },
    async ({ params, caller }) => ({ data: await rotateWebhook(deps, caller, named(params)) }),
  )

  scope.post(
    `${path}/:id/test`,
    {
      config: { ...guarded, audits: 'webhook.test', refusals: [...update, 'conflict'] },
      schema: {
        operationId: `test${name}Webhook`,
        summary: `Send a message of the type \`webhook.test\` to a webhook ${of}`,
        params: OfOwner,
        response: { 200: record(WebhookDelivery) },
      },
    },
    async ({ params, caller }) => ({ data: await testWebhook(deps, caller, named(params)) }),
  )

  scope.post(
    `${path}/:id/deliveries/:deliveryId/resend`,
    {
      config: { ...guarded, audits: 'webhook.resend', refusals: [...update, 'conflict'] },
      schema: {
        operationId: `resend${name}WebhookDelivery`,
        summary: `Send a message of a webhook ${of} again, with the same id`,
        params: OfDelivery,
        response: { 200: record(WebhookDelivery) },
      },
    },
    async ({ params, caller }) => ({
      data: await resendDelivery(deps, caller, { ...named(params), deliveryId: params.deliveryId }),
    }),
  )
}
