import type { Database } from '../../platform/database/connect.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { adminPerPage, Page, page, pagingOf } from '../../platform/http/paging.ts'
import { countAudit, listAudit } from './queries.ts'
import { AuditQuery, AuditRow } from './schema.ts'

export function auditAdminRoutes(scope: SignedInScope, { db }: { db: Database }): void {
  scope.get(
    '/admin/audit',
    {
      schema: {
        operationId: 'listAudit',
        summary: 'The trail of changes, newest first',
        querystring: AuditQuery,
        response: { 200: Page(AuditRow) },
      },
    },
    async ({ query }) => {
      const paging = pagingOf(query, adminPerPage)
      const [rows, total] = await Promise.all([listAudit(db, query, paging), countAudit(db, query)])
      const data = rows.map((row) => ({
        ...row,
        at: row.at.toISOString(),
        before: row.before as never,
        after: row.after as never,
      }))
      return page(data, total, paging)
    },
  )
}
