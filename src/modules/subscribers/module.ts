import type { Module } from '../../platform/module.ts'
import { weeklyHandler, weeklySchedule } from './broadcasts/actualites.ts'
import { remindersHandler, remindersSchedule } from './broadcasts/collectes.ts'
import { expandHandler } from './broadcasts/expand.ts'
import { broadcastCounters, watchBroadcasts } from './broadcasts/metrics.ts'
import { resumeHandler, resumeSchedule } from './broadcasts/resume.ts'
import { sendMailsHandler } from './broadcasts/send.ts'
import { sendPushesHandler } from './broadcasts/send-pushes.ts'
import { confirmationHandler } from './confirming.ts'
import { subscribersOfPerson } from './personal.ts'
import { reachRoutes } from './reach.ts'
import { subscribersRetention } from './retention.ts'
import { subscribersSettings } from './settings.ts'
import { sweepHandler, sweepSchedule } from './sweep.ts'

export const subscribers = {
  name: 'subscribers',
  about: 'Messages about communes that residents asked for, without an account',
  routes: { mairie: [{ of: 'communeId', routes: reachRoutes }] },
  jobs: (deps) => [
    confirmationHandler(deps),
    sweepHandler(deps),
    expandHandler(deps),
    sendMailsHandler(deps),
    sendPushesHandler(deps),
    resumeHandler(deps),
    weeklyHandler(deps),
    remindersHandler(deps),
  ],
  schedules: [sweepSchedule, resumeSchedule, weeklySchedule, remindersSchedule],
  limits: { subscribe: '5/hour' },
  settings: subscribersSettings,
  counters: broadcastCounters,
  metrics: watchBroadcasts,
  retention: subscribersRetention,
  personal: (config) => [subscribersOfPerson(config)],
} satisfies Module
