import Type from 'typebox'
import { requireKind, requireRecord } from '../../platform/access/record-kinds.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import { inBatches } from '../../platform/jobs/sweeps.ts'
import type { Deps, Module } from '../../platform/module.ts'
import { deleteOldPresence, listPresent, notePresence } from './queries.ts'
import { keptSeconds, Looking, Presence } from './schema.ts'

function presenceRoutes(scope: SignedInScope, { db, reads }: Deps): void {
  scope.put(
    '/admin/presence',
    {
      config: { needs: 'record.open', refusals: ['not_found'] },
      schema: {
        operationId: 'setPresence',
        summary: `Mark a record as being viewed for ${keptSeconds} s; returns the other viewers`,
        body: Looking,
        response: { 200: record(Presence) },
      },
    },
    async ({ body, caller }) => {
      requireKind(caller, body.kind)
      await requireRecord(reads, body)
      await notePresence(db, caller, body)
      return { data: { ...body, present: await listPresent(reads, caller, body) } }
    },
  )
}

const sweep = defineJob('presence.delete-old', Type.Object({}))

/** Deletes who has looked at a record, soon after it counts no more. */
export function sweepHandler({ db }: Pick<Deps, 'db'>): Handler {
  return handle(sweep, async (_payload, { signal }) => {
    await inBatches(500, signal, (batch) => deleteOldPresence(db, batch))
  })
}

const sweepSchedule: Schedule = schedule(sweep, '* * * * *', {})

export const presence = {
  name: 'presence',
  about: 'Which colleagues look at a record',
  routes: { office: presenceRoutes },
  jobs: { handlers: (deps) => [sweepHandler(deps)], schedules: [sweepSchedule] },
} satisfies Module
