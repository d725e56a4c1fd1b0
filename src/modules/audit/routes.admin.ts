import type { SignedInScope } from '../../platform/http/http-server.ts'
import { languageOf } from '../../platform/http/language.ts'
import { ListPage, listPage } from '../../platform/http/listing/list-page.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { auditList } from './queries.ts'
import { AuditQuery, AuditRow, Seals } from './schema.ts'
import { readSeals } from './seals/reading.ts'
import { resolveSearch } from './search.ts'
import { readNames } from './sentences/names.ts'
import { changesOf, summaryOf } from './sentences/summary.ts'

export function auditAdminRoutes(scope: SignedInScope, { lists, reads, config }: Deps): void {
  scope.get(
    '/admin/audit',
    {
      schema: {
        operationId: 'listAudit',
        summary: 'The audit log, newest first unless sorted otherwise, each entry as a sentence',
        querystring: AuditQuery,
        response: { 200: ListPage(AuditRow) },
      },
    },
    async ({ query, caller, headers }) => {
      const language = languageOf(headers['accept-language'])
      const searched = query.q === undefined ? null : await resolveSearch(lists, query.q)
      return listPage(lists, auditList(searched), query, async (rows): Promise<AuditRow[]> => {
        const names = await readNames(lists, rows, caller.user.roles)
        return rows.map((row) => ({
          ...row,
          summary: summaryOf(row, names, language),
          name: names.of(row),
          changes: changesOf(row, names, language),
        }))
      })
    },
  )

  scope.get(
    '/admin/audit/seals',
    {
      schema: {
        operationId: 'getAuditSeals',
        summary: 'Whether and until when the audit log is sealed, its last verification and its keys',
        response: { 200: record(Seals) },
      },
    },
    async () => ({ data: await readSeals(reads, config) }),
  )
}
