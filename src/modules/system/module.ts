import type { Config } from '../../platform/config/config.ts'
import type { Module, SettingOff } from '../../platform/module.ts'
import { systemErrors } from './errors.ts'
import { systemRoutes } from './routes.admin.ts'

export const system = {
  name: 'system',
  about: 'How the installation is',
  routes: { admin: { area: 'system', routes: systemRoutes } },
  errors: systemErrors,
  limits: { test_mail: '10/hour' },
  settingsOff: platformSettingsOff,
} satisfies Module

/** Settings of the platform, which no module declares. */
function platformSettingsOff({ mail, metricsPort, publicUrl, secondFactor }: Config): SettingOff[] {
  const off: [isOff: boolean, setting: SettingOff][] = [
    [
      mail.url === null,
      {
        setting: 'MAIL_URL',
        effect: {
          en: 'Mails are written as files to DATA_DIR/outbox and are not sent.',
          fr: 'Les courriels sont écrits comme fichiers dans DATA_DIR/outbox et ne partent pas.',
        },
        isAdvised: true,
        docs: 'operations.md#mail',
      },
    ],
    [
      !publicUrl.startsWith('https:'),
      {
        setting: 'PUBLIC_URL',
        effect: {
          en: 'The service is reached without https: links in mails lead to this machine, and cookies are not protected on the way.',
          fr: 'Le service est joint sans https : les liens des courriels mènent à cette machine et les cookies ne sont pas protégés en chemin.',
        },
        isAdvised: true,
        docs: 'operations.md#sign-in',
      },
    ],
    [
      secondFactor === 'none',
      {
        setting: 'SECOND_FACTOR',
        effect: {
          en: 'Administrators sign in without a second factor.',
          fr: 'Les administrateurs se connectent sans second facteur.',
        },
        isAdvised: true,
        docs: 'operations.md#sign-in',
      },
    ],
    [
      metricsPort === null,
      {
        setting: 'METRICS_PORT',
        effect: {
          en: 'No metrics are served for monitoring.',
          fr: 'Aucune mesure n’est fournie à une supervision.',
        },
        isAdvised: false,
        docs: 'operations.md#what-to-watch',
      },
    ],
  ]
  return off.flatMap(([isOff, setting]) => (isOff ? setting : []))
}
