import Type from 'typebox'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { ListPage, listPage } from '../../platform/http/listing/list-page.ts'
import { Id, record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { decideComplaint, withCanFor } from './decide.ts'
import { fileComplaint } from './file.ts'
import { complaintsList, getComplaint } from './queries.ts'
import {
  ById,
  Complaint,
  ComplaintCreate,
  ComplaintDecision,
  ComplaintOfReport,
  ComplaintRead,
  ComplaintsQuery,
  OwnComplaint,
  ReportComplaintCreate,
} from './schema.ts'

export function ownComplaintRoutes(scope: SignedInScope, deps: Deps): void {
  scope.post(
    '/me/complaints',
    {
      config: {
        audits: 'complaint.create',
        needs: 'own.change',
        limit: 'complain',
        refusals: ['not_found', 'conflict'],
        location: '/me/statements',
      },
      schema: {
        operationId: 'createComplaint',
        summary:
          'Complain, within six months and once, about what a decision took from one’s own publication, or the deactivation of one’s own acteur',
        body: ComplaintCreate,
        response: { 201: record(OwnComplaint) },
      },
    },
    async ({ body: { statement_id, text }, caller }, reply) => {
      const objection = { about: 'statement', id: statement_id, by: caller.user.id } as const
      const row = await fileComplaint(deps, caller, objection, text)
      return reply.code(201).send({ data: { ...row, statement_id } })
    },
  )
  reportComplaintRoutes(scope, deps)
}

function reportComplaintRoutes(scope: SignedInScope, deps: Deps): void {
  scope.post(
    '/me/reports/:id/complaint',
    {
      config: {
        audits: 'complaint.create',
        needs: 'own.change',
        limit: 'complain',
        refusals: ['not_found', 'conflict'],
        location: '/me/reports',
      },
      schema: {
        operationId: 'createComplaintOfReport',
        summary:
          'Complain, within six months and once, about what became of one’s own report, if the publication stayed',
        params: Type.Object({ id: Id('Identifier of the report, of `GET /me/reports`') }),
        body: ReportComplaintCreate,
        response: { 201: record(ComplaintOfReport) },
      },
    },
    async ({ params, body, caller }, reply) => {
      const objection = { about: 'report', id: params.id, by: caller.user.id } as const
      const row = await fileComplaint(deps, caller, objection, body.text)
      return reply.code(201).send({ data: { ...row, report_id: params.id } })
    },
  )
}

export function complaintRoutes(scope: SignedInScope, { db, jobs, reads, lists }: Deps): void {
  scope.get(
    '/admin/complaints',
    {
      schema: {
        operationId: 'listComplaints',
        summary: 'List complaints about decisions, oldest first by default',
        querystring: ComplaintsQuery,
        response: { 200: ListPage(Complaint) },
      },
    },
    async ({ query, caller }) =>
      listPage(lists, complaintsList, query, (rows) => rows.map(withCanFor(caller))),
  )

  scope.get(
    '/admin/complaints/:id',
    {
      schema: {
        operationId: 'getComplaint',
        summary: 'Read a complaint, with the text of the publication when it was decided',
        params: ById,
        response: { 200: record(ComplaintRead) },
      },
    },
    async ({ params, caller }) => ({ data: withCanFor(caller)(await getComplaint(reads, params.id)) }),
  )

  scope.patch(
    '/admin/complaints/:id',
    {
      config: {
        audits: 'complaint.decide, publication.undo, acteur.active',
        needs: 'complaint.decide',
        limit: 'moderate',
        refusals: ['same_person', 'forbidden', 'conflict', 'precondition_failed'],
      },
      schema: {
        operationId: 'decideComplaint',
        summary:
          'Decide a complaint, once; whoever decided what it is about cannot. To uphold needs an answer',
        params: ById,
        body: ComplaintDecision,
        response: { 200: record(Complaint) },
      },
    },
    async ({ params, body, caller }) => ({
      data: withCanFor(caller)(await decideComplaint({ db, jobs }, caller, params.id, body)),
    }),
  )
}
