import { sql } from 'kysely'
import { deletionAfterMonths } from '../../platform/jobs/sweeps.ts'
import type { Module, Waiting } from '../../platform/module.ts'
import { complaintsConstraints, complaintsErrors } from './errors.ts'
import {
  answeredComplaints,
  complaintMails,
  mailComplaintHandler,
  sweepMailsHandler,
  sweepMailsSchedule,
} from './mailing.ts'
import { complaintRules } from './permissions.ts'
import { complaintsOfPerson } from './personal.ts'
import { complaint } from './record.ts'
import { complaintRoutes, ownComplaintRoutes } from './routes.ts'

const complaintsWaiting: Waiting = {
  key: 'complaints',
  area: 'publications',
  rows: () => sql`
    select count(*) as count, min(c.created_at) as oldest_at from complaints c where c.decided_at is null`,
}

/** Deletes decided complaints; the audit log keeps how they ended. */
export const deleteOldComplaints = deletionAfterMonths('complaints', 'decided_at')

export const complaints = {
  name: 'complaints',
  about: 'Complaints about decisions, which somebody else decides',
  routes: { bearer: ownComplaintRoutes, admin: { area: 'publications', routes: complaintRoutes } },
  permissions: Object.values(complaintRules),
  errors: complaintsErrors,
  constraints: complaintsConstraints,
  audited: [complaint],
  jobs: {
    handlers: (deps) => [mailComplaintHandler(deps), sweepMailsHandler(deps)],
    schedules: [sweepMailsSchedule],
  },
  office: { waiting: [complaintsWaiting], answered: [answeredComplaints], mails: [complaintMails] },
  settings: { limits: { complain: '30/hour' } },
  personal: (config) => [complaintsOfPerson(config)],
  retention: [{ name: 'complaints', months: 12, sweep: deleteOldComplaints }],
} satisfies Module
