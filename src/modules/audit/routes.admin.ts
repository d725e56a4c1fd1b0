import type { SignedInScope } from '../../platform/http/http-server.ts'
import { adminPerPage, Page, page, pagingOf } from '../../platform/http/paging.ts'
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
        response: { 200: Page(AuditRow) },
      },
    },
    async ({ query }) => {
      const paging = pagingOf(query, adminPerPage)
      const [rows, total] = await Promise.all([listAudit(lists, query, paging), countAudit(lists, query)])
      return page(rows, total, paging)
    },
  )
}
