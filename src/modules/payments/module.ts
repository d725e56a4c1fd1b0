import { settingsOf } from '../../platform/config/config.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import type { Deps, Module } from '../../platform/module.ts'
import { applyEventHandler } from './effects/jobs.ts'
import { paymentsErrors } from './errors.ts'
import { eventsAdminRoutes, paymentEvent } from './events.ts'
import { watchEventsHandler, watchEventsSchedule } from './failures/jobs.ts'
import { subscriptionLogs, subscriptionPlans } from './figures.ts'
import { inboxRoutes } from './inbox/routes.ts'
import { moveSubscriptions } from './merging.ts'
import { paymentEvents, paymentsMetrics } from './metrics.ts'
import { subscription } from './record.ts'
import { emptyEvents } from './retention.ts'
import { subscriptionsSearchSource } from './search-source.ts'
import { paymentsSettings } from './settings.ts'
import { subscriptionsAdminRoutes } from './subscriptions/routes.admin.ts'
import { eventsWaiting, eventsWatched } from './waiting.ts'

function adminRoutes(scope: SignedInScope, deps: Deps): void {
  subscriptionsAdminRoutes(scope, deps)
  eventsAdminRoutes(scope, deps)
}

export const payments = {
  name: 'payments',
  about: 'Events of the payment provider, and the subscriptions that follow from them',
  routes: {
    webhook: inboxRoutes,
    admin: { area: 'subscriptions', routes: adminRoutes },
  },
  errors: paymentsErrors,
  audited: [subscription, paymentEvent],
  jobs: (deps) => [applyEventHandler(deps), watchEventsHandler(deps)],
  schedules: [watchEventsSchedule],
  limits: { signature: '60/minute' },
  settings: paymentsSettings,
  settingsOff: [
    {
      setting: 'PAYMENT_SIGNING_SECRETS',
      isOff: (config) => settingsOf(config, paymentsSettings).signingSecrets.length === 0,
      effect: {
        en: 'Events of the payment provider are refused.',
        fr: 'Les événements du prestataire de paiement sont refusés.',
      },
      isAdvised: false,
      docs: 'operations.md#payments',
    },
  ],
  counters: [paymentEvents],
  metrics: paymentsMetrics,
  figures: { subscription_plans: subscriptionPlans, subscription_logs: subscriptionLogs },
  movesOnMerge: [moveSubscriptions],
  retention: [{ name: 'webhooks', months: 13, sweep: emptyEvents }],
  waiting: [eventsWaiting],
  watched: [eventsWatched],
  searchSources: [subscriptionsSearchSource],
} satisfies Module
