import type { Module, SettingOff } from '../../platform/module.ts'
import { systemErrors } from './errors.ts'
import { systemRoutes } from './routes.admin.ts'

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
  limits: { test_mail: '10/hour' },
  settingsOff: platformSettingsOff,
} satisfies Module
