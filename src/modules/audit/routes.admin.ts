import type { SignedInScope } from '../../platform/http/http-server.ts'
import { ListPage, listPage } from '../../platform/http/listing/list-page.ts'
import type { Deps } from '../../platform/module.ts'
import { countAudit, listAudit } from './queries.ts'
import { AuditQuery, AuditRow } from './schema.ts'

export function auditAdminRoutes(scope: SignedInScope, { lists }: Deps): void {
  scope.get(
    '/admin/audit',
    {
      schema: {
        operationId: 'listAudit',
        summary: 'The audit log, newest first unless sorted otherwise',
        querystring: AuditQuery,
        response: { 200: ListPage(AuditRow) },
      },
    },
    async ({ query }) =>
      listPage(query, {
        rows: (paging) => listAudit(lists, query, paging),
        total: () => countAudit(lists, query),
      }),
  )
}
