import { sql } from 'kysely'
import Type from 'typebox'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import { enqueueLost } from '../../platform/jobs/rows.ts'
import { deletionAfterMonths } from '../../platform/jobs/sweeps.ts'
import type { Deps, Module, Retention, UnsentMessages } from '../../platform/module.ts'
import { mairiePaths } from '../acteurs/mairies.ts'
import type { Channel } from './addresses.ts'
import { weeklyHandler, weeklySchedules } from './broadcasts/actualites.ts'
import { restartStopped } from './broadcasts/announce.ts'
import type { Broadcast } from './broadcasts/broadcast.ts'
import { remindersHandler, remindersSchedule } from './broadcasts/collectes.ts'
import { monthsOfDeliveries } from './broadcasts/deliveries.ts'
import { expandHandler } from './broadcasts/expand.ts'
import { expandBroadcast } from './broadcasts/expand-job.ts'
import { broadcastCounters, watchBroadcasts } from './broadcasts/metrics.ts'
import { sendMailsHandler } from './broadcasts/send.ts'
import { sendPushesHandler } from './broadcasts/send-pushes.ts'
import { enqueueSending } from './broadcasts/sending-jobs.ts'
import { addUpHandler, addUpSchedule, changesRetention } from './changes.ts'
import { confirmationHandler, confirmationMails } from './confirming.ts'
import { subscribersOfPerson } from './personal.ts'
import { provingHandler } from './proving.ts'
import { reachOfActeurRoutes, reachRoutes } from './reach.ts'
import { resendingOfActeurRoutes, resendingRoutes } from './resending.ts'
import { subscribersSettings } from './settings.ts'
import { sweepHandler, sweepSchedule } from './sweep.ts'

const resume = defineJob('subscribers.resume-broadcasts', Type.Object({}))

/**
 * Enqueues the jobs of broadcasts that are not over again: they may be lost, for example by a restore. Restarts before those
 * that stopped and have something to tell again.
 */
function resumeHandler({ db, jobs }: Deps): Handler {
  return handle(resume, async () => {
    await restartStopped(db)
    const { rows } = await sql<Pick<Broadcast, 'id' | 'kind'> & { status: string }>`
      select b.id, b.kind, b.status from broadcasts b left join alertes al on al.id = b.alerte_id
      where b.status in ('expanding', 'sending') and b.created_at < now() - interval '5 minutes'
        and coalesce(al.debut, '-infinity') <= now()
      order by b.created_at limit 1000`.execute(db)
    const expanding = rows.flatMap(({ id, status }) => (status === 'expanding' ? [id] : []))
    await enqueueLost({ db, jobs }, expandBroadcast, expanding, (broadcastId) => ({ broadcastId }))
    for (const one of rows) if (one.status === 'sending') await enqueueSending({ jobs }, db, one)
  })
}

const resumeSchedule: Schedule = schedule(resume, '*/5 * * * *', {})

/** Selects what broadcasts that are not over still have to hand over in a channel. */
const unsentDeliveries = (channel: Channel) => sql`
  select count(*) as count, min(b.started_at) as oldest_at
  from broadcasts b cross join lateral (
    select from broadcast_deliveries d
    where d.broadcast_id = b.id and d.channel = ${channel} and d.status = 'queued' limit 1000) queued
  where b.status in ('expanding', 'sending')`

const unsentMessages: readonly UnsentMessages[] = [
  { transport: 'mail', rows: unsentDeliveries('email') },
  { transport: 'push', rows: unsentDeliveries('push') },
]

/** Deletes deliveries, which say who got which message, then broadcasts, which count them. */
const subscribersRetention: readonly Retention[] = [
  {
    name: 'deliveries',
    months: monthsOfDeliveries,
    sweep: deletionAfterMonths('broadcast_deliveries', 'status_at', 'ctid'),
  },
  { name: 'broadcasts', months: 24, sweep: deletionAfterMonths('broadcasts', 'created_at') },
  changesRetention,
]

export const subscribers = {
  name: 'subscribers',
  about: 'Messages about communes and groups that residents asked for, without an account',
  routes: {
    mairie: [
      { of: mairiePaths.commune, routes: reachRoutes },
      { of: mairiePaths.commune, routes: resendingRoutes },
      { of: mairiePaths.publicBody, routes: reachOfActeurRoutes },
      { of: mairiePaths.publicBody, routes: resendingOfActeurRoutes },
    ],
  },
  jobs: {
    handlers: (deps) => [
      confirmationHandler(deps),
      provingHandler(deps),
      sweepHandler(deps),
      addUpHandler(deps),
      expandHandler(deps),
      sendMailsHandler(deps),
      sendPushesHandler(deps),
      resumeHandler(deps),
      weeklyHandler(deps),
      remindersHandler(deps),
    ],
    schedules: [sweepSchedule, addUpSchedule, resumeSchedule, ...weeklySchedules, remindersSchedule],
  },
  office: { mails: [confirmationMails], unsent: unsentMessages },
  settings: { own: subscribersSettings, limits: { subscribe: '20/hour', subscribe_address: '5/hour' } },
  metrics: { counters: broadcastCounters, watch: watchBroadcasts },
  retention: subscribersRetention,
  personal: (config) => [subscribersOfPerson(config)],
} satisfies Module
