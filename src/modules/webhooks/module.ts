import type { Module } from '../../platform/module.ts'
import { webhookRules } from './permissions.ts'
import { auditedWebhook } from './record.ts'
import { acteurWebhookRoutes, platformWebhookRoutes } from './routes.ts'
import { sendHandler, sendSchedule } from './sending/jobs.ts'
import { webhookAttempts, webhookMetrics } from './sending/metrics.ts'
import { mailOwnerHandler, ownerMails } from './sending/notify.ts'
import { sweepHandler, sweepSchedule } from './sweep.ts'

export const webhooks = {
  name: 'webhooks',
  about: 'Other programs that are told of changes',
  routes: {
    bearer: acteurWebhookRoutes,
    admin: { area: 'webhooks', routes: platformWebhookRoutes },
  },
  permissions: Object.values(webhookRules),
  audited: [auditedWebhook],
  settings: { limits: { webhook: '60/hour' } },
  office: { mails: [ownerMails] },
  metrics: { counters: [webhookAttempts], watch: webhookMetrics },
  jobs: {
    handlers: (deps) => [sendHandler(deps), mailOwnerHandler(deps), sweepHandler(deps)],
    schedules: [sendSchedule, sweepSchedule],
  },
} satisfies Module
