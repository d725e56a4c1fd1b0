import Type from 'typebox'
import { reporterAddresses } from '../modules/publications/reports/addresses.ts'
import {
  confirmReporter,
  findReporter,
  type LinkedReporter,
} from '../modules/publications/reports/confirming.ts'
import { type Form, formPage } from './forms.ts'
import { html } from './html.ts'
import type { Pages, SiteBase } from './site.ts'
import { t } from './text.ts'

/** The page of the link in a receipt, whose address is a secret. Its button confirms: scanners of mail open links. */
export const confirmingPage: Pages = (scope, site) => formPage(scope, site, confirmingForm(site))

/** Leads who reported while signed in to what became of it. */
export const ownReportsAddress: Pages = (scope, { config }) => {
  if (!config.backoffice) return
  scope.get(
    '/compte/signalements',
    { config: { caching: { never: 'it leads to an account' } } },
    ({ site }, reply) => reply.redirect(`${site.service}/backoffice/account/reports`, 302),
  )
}

function confirmingForm({ db, config }: SiteBase): Form<LinkedReporter> {
  const addresses = reporterAddresses(config.sessionKeys)
  const { title, lead, button, done, gone } = t.report.confirm
  return {
    url: '/signalement/:token',
    params: Type.Object({ token: Type.String({ pattern: '^[\\w-]{1,100}$' }) }),
    isPersonal: true,
    title,
    fields: [],
    button,
    body: Type.Object({}),
    async find({ params, method }) {
      const { token } = params as { token: string }
      // Read from the primary: the receipt may be seconds old.
      const reporter = await findReporter(db, addresses, token)
      const about = { path: `/signalement/${token}`, title, crumbs: [] }
      if (reporter === null) return { ...about, lead: gone, closed: toHome, status: 410 }
      if (reporter.isConfirmed && method === 'GET') return { ...about, lead: done, closed: toHome }
      return { ...about, subject: reporter, lead }
    },
    complete: () => ({}),
    async submit(_nothing, reporter) {
      await confirmReporter(db, reporter)
      return null
    },
    done,
  }
}

const toHome = html`<p><a class="more" href="/">${t.error.home}</a></p>`
