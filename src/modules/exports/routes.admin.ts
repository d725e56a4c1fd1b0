import { ApiError, invalid, raise } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { languageOf } from '../../platform/http/language.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import type { RouteDeps } from '../../platform/module.ts'
import { createExport, readFilters, requireList, withinQuery } from './rules.ts'
import { Export, ExportCreate } from './schema.ts'

export function exportsAdminRoutes(scope: SignedInScope, { db, csv, config }: RouteDeps): void {
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
