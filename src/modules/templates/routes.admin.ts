import { withCanOf } from '../../platform/access/rules.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { list, record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { getTemplate, listTemplates } from './queries.ts'
import { createTemplate, deleteTemplate, editTemplate, previewTemplate, requireTemplates } from './rules.ts'
import {
  ById,
  Preview,
  PreviewBody,
  Template,
  TemplateCreate,
  TemplatesQuery,
  TemplateUpdate,
  templateActions,
} from './schema.ts'

const withCan = withCanOf(templateActions)

export function templatesRoutes(scope: SignedInScope, { db, reads, clock }: Deps): void {
  scope.get(
    '/admin/templates',
    {
      config: { needs: 'record.open' },
      schema: {
        operationId: 'listTemplates',
        summary: 'Texts that colleagues reuse, by name',
        querystring: TemplatesQuery,
        response: { 200: list(Template) },
      },
    },
    async ({ query, caller }) => {
      requireTemplates(caller, query.kind)
      return { data: (await listTemplates(reads, query.kind)).map(withCan) }
    },
  )

  scope.post(
    '/admin/templates',
    {
      config: {
        needs: 'record.open',
        audits: 'template.create',
        refusals: ['conflict'],
        location: '/admin/templates/{id}',
      },
      schema: {
        operationId: 'createTemplate',
        summary: 'Create a template; 409 when its kind has one of that name',
        body: TemplateCreate,
        response: { 201: record(Template) },
      },
    },
    async ({ body, caller }, reply) =>
      reply.code(201).send({ data: withCan(await createTemplate(db, caller, body)) }),
  )

  scope.get(
    '/admin/templates/:id',
    {
      config: { needs: 'record.open' },
      schema: {
        operationId: 'getTemplate',
        summary: 'Read a template',
        params: ById,
        response: { 200: record(Template) },
      },
    },
    async ({ params, caller }) => {
      const template = await getTemplate(reads, params.id)
      requireTemplates(caller, template.kind)
      return { data: withCan(template) }
    },
  )

  scope.patch(
    '/admin/templates/:id',
    {
      config: {
        needs: 'record.open',
        audits: 'template.update',
        refusals: ['conflict', 'precondition_failed'],
      },
      schema: {
        operationId: 'updateTemplate',
        summary: 'Change the name or text of a template',
        params: ById,
        body: TemplateUpdate,
        response: { 200: record(Template) },
      },
    },
    async ({ params, body, caller }) => ({ data: withCan(await editTemplate(db, caller, params.id, body)) }),
  )

  scope.delete(
    '/admin/templates/:id',
    {
      config: { needs: 'record.open', audits: 'template.delete', refusals: ['precondition_failed'] },
      schema: {
        operationId: 'deleteTemplate',
        summary: 'Delete a template',
        params: ById,
        response: { 200: record(Template) },
      },
    },
    async ({ params, caller }) => ({
      data: { ...(await deleteTemplate(db, caller, params.id, clock())), can: [] },
    }),
  )

  scope.post(
    '/admin/templates/:id/preview',
    {
      config: { needs: 'record.open' },
      schema: {
        operationId: 'previewTemplate',
        summary: 'The text of a template with the values of a record',
        params: ById,
        body: PreviewBody,
        response: { 200: record(Preview) },
      },
    },
    async ({ params, body, caller }) => ({ data: await previewTemplate(reads, caller, params.id, body.id) }),
  )
}
