import { notFound, raise } from '../../platform/errors.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import type { RouteDeps } from '../../platform/module.ts'
import { findLink, useLink } from './queries.ts'
import { digestOf, requireList } from './rules.ts'
import { ByToken, File } from './schema.ts'

/** The address of a file, which a browser opens by itself: it sends its cookie and names no application. */
export function downloadRoutes(
  scope: HttpServer,
  { db, lists, csv, authenticate, sources }: RouteDeps,
): void {
  scope.get(
    '/admin/exports/:token',
    {
      config: {
        isList: true,
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
