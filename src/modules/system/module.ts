import type { SignedInScope } from '../../platform/http/http-server.ts'
import { languageOf } from '../../platform/http/language.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import type { Module, RouteDeps, SettingOff } from '../../platform/module.ts'
import { systemErrors } from './errors.ts'
import { describeSystem, sendTestMail } from './rules.ts'
import { System, TestMail } from './schema.ts'
import { failingTransports, watchTransports } from './transports.ts'

function systemRoutes(scope: SignedInScope, deps: RouteDeps): void {
  scope.get(
    '/admin/system',
    {
      schema: {
        operationId: 'getSystem',
        summary:
          'How the installation is: version, instances, sizes, jobs, backup, and settings that are off',
        description:
          'A part that cannot be read is null and named in `failed`. It shows no value of a setting.',
        response: { 200: record(System) },
      },
    },
    async ({ headers }) => ({ data: await describeSystem(deps, languageOf(headers['accept-language'])) }),
  )

  scope.post(
    '/admin/system/test-mail',
    {
      config: { refusals: ['no_address'], limit: 'test_mail' },
      schema: {
        operationId: 'sendTestMail',
        summary: 'Send a test mail to oneself, and say what the mail server answered',
        response: { 200: record(TestMail) },
      },
    },
    async ({ caller }) => ({ data: await sendTestMail(deps, caller) }),
  )
}

/** Settings of the platform, which no module declares. */
const platformSettingsOff: readonly SettingOff[] = [
  {
    setting: 'MAIL_URL',
    isOff: ({ mail }) => mail.url === null,
    effect: {
      en: 'Mails are written as files to DATA_DIR/outbox and are not sent.',
      fr: 'Les courriels sont écrits comme fichiers dans DATA_DIR/outbox et ne partent pas.',
    },
    isAdvised: true,
    docs: 'operations.md#mail',
  },
  {
    setting: 'PUBLIC_URL',
    isOff: ({ publicUrl }) => !publicUrl.startsWith('https:'),
    effect: {
      en: 'The service is reached without https: links in mails lead to this machine, and cookies are not protected on the way.',
      fr: 'Le service est joint sans https : les liens des courriels mènent à cette machine et les cookies ne sont pas protégés en chemin.',
    },
    isAdvised: true,
    docs: 'operations.md#sign-in',
  },
  {
    setting: 'SECOND_FACTOR',
    isOff: ({ secondFactor }) => secondFactor === 'none',
    effect: {
      en: 'Administrators sign in without a second factor.',
      fr: 'Les administrateurs se connectent sans second facteur.',
    },
    isAdvised: true,
    docs: 'operations.md#sign-in',
  },
  {
    setting: 'METRICS_PORT',
    isOff: ({ metricsPort }) => metricsPort === null,
    effect: {
      en: 'No metrics are served for monitoring.',
      fr: 'Aucune mesure n’est fournie à une supervision.',
    },
    isAdvised: false,
    docs: 'operations.md#what-to-watch',
  },
]

export const system = {
  name: 'system',
  about: 'How the installation is',
  routes: { admin: { area: 'system', routes: systemRoutes } },
  errors: systemErrors,
  office: { figures: failingTransports },
  metrics: { watch: watchTransports },
  settings: { limits: { test_mail: '10/hour' }, off: platformSettingsOff },
} satisfies Module
