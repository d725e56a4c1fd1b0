import type { Caller } from '../../../platform/access/caller.ts'
import { append } from '../../../platform/change.ts'
import { sharedSecret } from '../../../platform/config/config.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { notFound, scopeViolation } from '../../../platform/errors.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { optionalBody, record } from '../../../platform/http/validation/schemas.ts'
import { onlyOnce } from '../../../platform/idempotency.ts'
import type { Deps } from '../../../platform/module.ts'
import { todayInParis } from '../../../platform/time/paris-time.ts'
import { isVisible } from '../queries.ts'
import { publication } from '../record.ts'
import { ById } from '../schema.ts'
import { isShown } from '../visibility.ts'
import { type ReporterAddresses, reporterAddresses } from './addresses.ts'
import { followCase, readFollower } from './following.ts'
import { insertReport, lockReported } from './queries.ts'
import { type Reporter, reporterKeys } from './reporter.ts'
import { Receipt, ReportBody } from './schema.ts'

export function reportRoutes(scope: HttpServer, { db, jobs, config, clock }: Deps): void {
  const reporterOf = reporterKeys(sharedSecret(config))
  const tools = { db, jobs, addresses: reporterAddresses(config.sessionKeys) }

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
      const id = await reportPublication(tools, caller, params.id, reporter, body)
      return reply.code(201).send({ data: { id, status: 'received' as const } })
    },
  )
}

type Tools = Pick<Deps, 'db'> & { jobs: Pick<Deps['jobs'], 'enqueue'>; addresses: ReporterAddresses }

/** Records a report: one per caller and day until a decision. Whoever gives an address gets a receipt. */
export function reportPublication(
  { db, jobs, addresses }: Tools,
  caller: Caller,
  id: string,
  reporter: Reporter,
  { reason, category, message, ...contact }: ReportBody = {},
): Promise<string> {
  const follower = readFollower(contact)
  return db.transaction().execute((tx) =>
    onlyOnce(tx, caller, async () => {
      await lockReported(tx, id)
      await requireMayReport(tx, caller, id)
      const content = { category: category ?? null, reason: reason ?? null, message: message ?? null }
      const values = { id: uuidv7(), publication_id: id, ...reporter, ...content }
      const report = await insertReport(tx, values)
      if (follower !== null) await followCase(tx, { jobs, addresses }, report, follower)
      if (report.id !== values.id) return report.id
      const change = { kind: publication, entityId: id, after: { report_id: report.id, ...content } }
      await append(tx, caller, { action: 'publication.report', ...change })
      return report.id
    }),
  )
}

/** Requires a publication that is public and that the application shows; anybody may report it. */
async function requireMayReport(tx: Database, caller: Caller, id: string): Promise<void> {
  if (!(await isVisible(tx, id))) throw notFound()
  if (!(await isShown(tx, caller, { id }))) throw scopeViolation()
}
