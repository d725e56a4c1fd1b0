import { sharedSecret } from '../../../platform/config/config.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { optionalBody, record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { todayInParis } from '../../../platform/time/paris-time.ts'
import { ById } from '../schema.ts'
import { reporterKeys } from './reporter.ts'
import { reportPublication } from './rules.ts'
import { Receipt, ReportBody } from './schema.ts'

export function reportRoutes(scope: HttpServer, { db, config, clock }: Deps): void {
  const reporterOf = reporterKeys(sharedSecret(config))

  scope.post(
    '/publications/:id/report',
    {
      config: {
        audits: 'publication.report',
        limit: 'report',
        refusals: ['unauthenticated'],
        location: '/admin/publications/:id/reports',
      },
      schema: {
        operationId: 'reportPublication',
        summary: 'Report a publication to those who moderate; once a day and caller',
        params: ById,
        body: optionalBody(ReportBody),
        response: { 201: record(Receipt) },
      },
    },
    async ({ params, body, caller, ip }, reply) => {
      const reporter = reporterOf(caller, ip, todayInParis(clock()))
      const id = await reportPublication(db, caller, params.id, reporter, body)
      return reply.code(201).send({ data: { id, status: 'received' as const } })
    },
  )
}
