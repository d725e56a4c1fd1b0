import type { SignedInScope } from '../../platform/http/http-server.ts'
import { list, record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import * as queries from './queries.ts'
import {
  createAppSource,
  createType,
  readSource,
  updateAppSource,
  updateType,
  withCan,
  withNames,
} from './rules.ts'
import * as schema from './schema.ts'

export function referenceRoutes(scope: SignedInScope, deps: Deps): void {
  typeRoutes(scope, deps)
  sourceRoutes(scope, deps)
}

function typeRoutes(scope: SignedInScope, { db, reads }: Deps): void {
  scope.get(
    '/admin/publication-types',
    {
      schema: {
        operationId: 'listAdminPublicationTypes',
        summary: 'Publication types, in order',
        response: { 200: list(schema.AdminType) },
      },
    },
    async () => ({ data: (await queries.listTypes(reads)).map(withCan) }),
  )

  scope.post(
    '/admin/publication-types',
    {
      config: {
        audits: 'publication_type.create',
        refusals: ['conflict'],
        location: '/admin/publication-types/{id}',
      },
      schema: {
        operationId: 'createPublicationType',
        summary: 'Create a publication type; 409 when its slug is taken',
        body: schema.TypeCreate,
        response: { 201: record(schema.AdminType) },
      },
    },
    async ({ body, caller }, reply) => reply.code(201).send({ data: await createType(db, caller, body) }),
  )

  scope.get(
    '/admin/publication-types/:id',
    {
      schema: {
        operationId: 'getPublicationType',
        summary: 'Read a publication type',
        params: schema.ById,
        response: { 200: record(schema.AdminType) },
      },
    },
    async ({ params }) => ({ data: withCan(await queries.getType(reads, params.id)) }),
  )

  scope.patch(
    '/admin/publication-types/:id',
    {
      config: { audits: 'publication_type.update', refusals: ['precondition_failed'] },
      schema: {
        operationId: 'updatePublicationType',
        summary: 'Change the label or the place of a publication type; its slug stays',
        params: schema.ById,
        body: schema.TypeUpdate,
        response: { 200: record(schema.AdminType) },
      },
    },
    async ({ params, body, caller }) => ({ data: await updateType(db, caller, params.id, body) }),
  )
}

function sourceRoutes(scope: SignedInScope, { db, reads }: Deps): void {
  scope.get(
    '/admin/app-sources',
    {
      schema: {
        operationId: 'listAppSources',
        summary: 'Applications that may call, by code',
        response: { 200: list(schema.AppSource) },
      },
    },
    async () => ({ data: await withNames(reads, await queries.listAppSources(reads)) }),
  )

  scope.post(
    '/admin/app-sources',
    {
      config: { audits: 'app_source.create', refusals: ['conflict'], location: '/admin/app-sources/{code}' },
      schema: {
        operationId: 'createAppSource',
        summary: 'Create an application; 409 when its code is taken',
        body: schema.SourceCreate,
        response: { 201: record(schema.AppSource) },
      },
    },
    async ({ body, caller }, reply) =>
      reply.code(201).send({ data: await createAppSource(db, caller, body) }),
  )

  scope.get(
    '/admin/app-sources/:code',
    {
      schema: {
        operationId: 'getAppSource',
        summary: 'Read an application',
        params: schema.ByCode,
        response: { 200: record(schema.AppSource) },
      },
    },
    async ({ params }) => ({ data: await readSource(reads, await queries.getAppSource(reads, params.code)) }),
  )

  scope.patch(
    '/admin/app-sources/:code',
    {
      config: { audits: 'app_source.update', refusals: ['precondition_failed'] },
      schema: {
        operationId: 'updateAppSource',
        summary: 'Change an application; of the service’s own ones only the label changes',
        params: schema.ByCode,
        body: schema.SourceUpdate,
        response: { 200: record(schema.AppSource) },
      },
    },
    async ({ params, body, caller }) => ({ data: await updateAppSource(db, caller, params.code, body) }),
  )
}
