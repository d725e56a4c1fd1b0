import type { Module } from '../../platform/module.ts'
import { applyEventHandler } from './effects/jobs.ts'
import { paymentsErrors } from './errors.ts'
import { watchEventsHandler, watchEventsSchedule } from './failures/jobs.ts'
import { subscriptionLogs, subscriptionPlans } from './figures.ts'
import { inboxRoutes } from './inbox/routes.ts'
import { moveSubscriptions } from './merging.ts'
import { paymentsMetrics } from './metrics.ts'
import { paymentEvent, subscription } from './record.ts'
import { emptyEvents } from './retention.ts'
import { subscriptionsSearched } from './searched.ts'
import { paymentsSettings } from './settings.ts'
import { subscriptionsAdminRoutes } from './subscriptions/routes.admin.ts'
import { eventsWaiting } from './waiting.ts'

export const payments = {
  name: 'payments',
  about: 'What the payment provider tells, and the subscriptions that follow from it',
  routes: {
    webhook: inboxRoutes,
    admin: { area: 'subscriptions', routes: subscriptionsAdminRoutes },
  },
  errors: paymentsErrors,
  audited: [subscription, paymentEvent],
  jobs: (deps) => [applyEventHandler(deps), watchEventsHandler(deps)],
  schedules: [watchEventsSchedule],
  limits: { signature: '60/minute' },
  settings: paymentsSettings,
  metrics: paymentsMetrics,
  figures: { subscription_plans: subscriptionPlans, subscription_logs: subscriptionLogs },
  movesOnMerge: [moveSubscriptions],
  retention: [{ name: 'webhooks', months: 13, sweep: emptyEvents }],
  waiting: [eventsWaiting],
  searched: [subscriptionsSearched],
} satisfies Module
