import Type, { type Static } from 'typebox'
import { type Contested, fileComplaint, findContested } from '../modules/complaints/file.ts'
import { complaintText } from '../modules/complaints/schema.ts'
import { type Objection, objectionLinks } from '../modules/grounds/objecting.ts'
import { notFound } from '../platform/errors.ts'
import { days } from '../platform/mail/mail.ts'
import { type Form, formPage } from './forms.ts'
import { html } from './html.ts'
import type { Pages, SiteBase } from './site.ts'
import { t } from './text.ts'

/** The page of the link in a statement of reasons, or in the outcome of a report. Its address is a secret. */
export const complainingPage: Pages = (scope, site) => formPage(scope, site, complaintForm(site))

const Body = Type.Object({ text: complaintText })

function complaintForm(site: SiteBase): Form<Objection> {
  const links = objectionLinks(site.config)
  const { title, text, hint, button, done } = t.complaint
  return {
    url: '/reclamation/:token',
    params: Type.Object({ token: Type.String({ pattern: '^[sc][\\w-]{64}$' }) }),
    isPersonal: true,
    title,
    fields: [{ name: 'text', label: text, hint, kind: 'textarea', isRequired: true, maxLength: 5_000 }],
    button,
    body: Body,
    async find({ params, query, method }) {
      const { token } = params as { token: string }
      const objection = links.read(token)
      if (objection === null) throw notFound()
      // Read from the primary: the decision may be seconds old.
      const found = await findContested(site.db, objection)
      const about = { path: `/reclamation/${token}`, title, crumbs: [] }
      if (found === null) return { ...about, lead: t.complaint.closed.gone, closed: toHome, status: 410 }
      const isDone = found.state === 'done' && method === 'GET'
      if (found.state !== 'open' && !(isDone && (query as { envoye?: string }).envoye === '1'))
        return { ...about, lead: t.complaint.closed[found.state], closed: toHome }
      return { ...about, subject: objection, lead: leadOf(found) }
    },
    complete: (values) => values,
    async submit(body: Static<typeof Body>, objection, { caller }) {
      await fileComplaint(site, caller, objection, body.text)
      return null
    },
    done,
  }
}

/** Says what was decided, when and why, and until when one can object. */
function leadOf({ title, restriction, outcome, decided_at, ground, reason, until }: Contested): string {
  const { decided, left, why, limit } = t.complaint
  return [
    restriction === null ? left(title) : decided(title, restriction),
    `${t.complaint.on(days.fr.format(decided_at))}${outcome === 'expired' ? ` ${t.complaint.byRule}` : ''}`,
    ...(ground === null ? [] : [`${ground.label}. ${ground.text}`]),
    ...(reason === null ? [] : [why(reason)]),
    limit(days.fr.format(until)),
  ].join(' ')
}

const toHome = html`<p><a class="more" href="/">${t.error.home}</a></p>`
