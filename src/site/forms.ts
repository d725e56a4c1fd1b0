import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { readReference } from '../modules/claims/reference.ts'
import { sharedSecret } from '../platform/config/config.ts'
import { type ApiError, forbidden, type Problem } from '../platform/errors.ts'
import type { HttpServer } from '../platform/http/http-server.ts'
import { parseQuery } from '../platform/http/route-table.ts'
import { validatorCompiler } from '../platform/http/validation/validation.ts'
import { html, type Markup } from './html.ts'
import { headersOf, type Page, renderPage, sendPage } from './layout.ts'
import { type SiteBase, searchOf } from './site.ts'
import { t } from './text.ts'

export type Field = {
  name: string
  label: string
  hint?: string
  /** `hidden`: a script fills it. */
  kind: 'text' | 'email' | 'tel' | 'textarea' | 'hidden' | { value: string; label: string }[]
  isRequired?: boolean
  maxLength?: number
  autocomplete?: string
}
export type Values = Record<string, string>

/** What a form is about: found for each request, 404 thrown if there is none. */
type About<Subject> = Shown & ({ subject: Subject } | Closed)
type Shown = Pick<Page, 'title' | 'crumbs' | 'commune' | 'group'> & { path: string; lead: string }
/** Shown instead of a form, which is refused. `status`: of the page, where it is not 200. */
type Closed = { closed: Markup; status?: number }

export type Form<Subject> = {
  /** Pattern of its address. */
  url: string
  params?: TSchema
  /** Name of the limit of the API's route; absent where a secret address is the limit, or the form counts what it accepts. */
  limit?: string
  /** Its title while what it is about is not known. */
  title: string
  /** The page is of one person, and its address a secret. */
  isPersonal?: true
  fields: readonly Field[] | ((subject: Subject) => readonly Field[] | Promise<readonly Field[]>)
  /** What the fields show before anything was typed. */
  initial?(subject: Subject): Values
  button?: string
  /** A script that adds to the form, and what it takes from the page. */
  script?: { path: string; parts(): Markup | null }
  /** Shown below the form, and below the page that confirms. */
  after?(subject: Subject, isDone: boolean): Markup
  body: TSchema
  find(request: FastifyRequest): Promise<About<Subject>>
  /** Adds to the values what the form does not ask; the result is checked by the schema. */
  complete(values: Values, subject: Subject): object
  /** Returns the reference that the person may quote, if there is one, or the page that is shown then. */
  submit(body: never, subject: Subject, request: FastifyRequest): Promise<string | { page: string } | null>
  done: string | ((subject: Subject) => string | Promise<string>)
}

const minAgeMs = 2_000
const maxAgeMs = 7_200_000
const maxBodyBytes = 65_536
const trap = 'adresse_du_site'

/** Reads bodies of forms in this scope. */
export function acceptForms(scope: HttpServer): void {
  const options = { parseAs: 'string', bodyLimit: maxBodyBytes } as const
  scope.addContentTypeParser('application/x-www-form-urlencoded', options, (_request, body, done) => {
    done(null, parseQuery(String(body)))
  })
}

/** Registers a form: GET shows it, POST checks and submits it, then leads to a page that confirms. */
export function formPage<Subject>(scope: HttpServer, site: SiteBase, form: Form<Subject>): void {
  /** What a request is about, once it is known, to show its form again. */
  const found = new WeakMap<FastifyRequest, { about: Shown; fields: readonly Field[] }>()
  const times = signedTimes(sharedSecret(site.config), site.clock)
  const check = validatorCompiler({ schema: form.body, method: 'POST', url: form.url, httpPart: 'body' })
  const schema = form.params === undefined ? {} : { params: form.params }
  const { isPersonal = false } = form

  scope.get(
    form.url,
    {
      config: { page: { isPersonal }, caching: { never: 'a form carries the time at which it was shown' } },
      schema,
    },
    async (request, reply) => {
      const about = await form.find(request)
      if (request.url.split('?')[0] !== about.path)
        return reply.redirect(`${about.path}${searchOf(request.url)}`, 301)
      const { envoye, reference = '' } = request.query as Values
      if ('closed' in about) return close(reply.code(about.status ?? 200), about)
      if (envoye !== '1') return ask(reply, about, form.initial?.(about.subject) ?? {}, [])
      const quoted = typeof reference === 'string' ? readReference(reference) : null
      const shown = quoted && html`<p>${t.form.reference} <strong>${quoted}</strong></p>`
      const done = typeof form.done === 'string' ? form.done : await form.done(about.subject)
      return show(
        reply,
        about,
        html`<p class="lead">${done}</p>${shown}${form.after?.(about.subject, true)}`,
        t.form.titles.done,
      )
    },
  )

  const config = {
    page: { isPersonal, showsAgain },
    ...(form.limit !== undefined && { limit: form.limit }),
  }
  const fieldsOf = async (subject: Subject) =>
    typeof form.fields === 'function' ? form.fields(subject) : form.fields

  scope.post(form.url, { config, schema, onRequest: refuseElsewhere }, async (request, reply) => {
    const about = await form.find(request)
    if ('closed' in about) return close(reply.code(about.status ?? 403), about)
    const fields = await fieldsOf(about.subject)
    found.set(request, { about, fields })
    const given = textsOf(request.body)
    // A person does not see the field. Who fills it learns nothing.
    if (given[trap]) return reply.redirect(sentPage(about), 303)
    // Programs do not know a secret address; a person who returns to it knows what to press.
    if (!times.isValid(given.moment ?? '', isPersonal ? 0 : minAgeMs))
      return ask(reply.code(422), about, given, [], t.form.late)
    const values = Object.fromEntries(
      fields.flatMap(({ name }) => (given[name]?.trim() ? [[name, given[name].trim()]] : [])),
    )
    const { value, error } = check(form.complete(values, about.subject)) as { value: never; error?: Error }
    if (error) throw error
    const result = await form.submit(value, about.subject, request)
    if (typeof result === 'object' && result !== null) return reply.redirect(`${result.page}?envoye=1`, 303)
    return reply.redirect(`${sentPage(about)}${result === null ? '' : `&reference=${result}`}`, 303)
  })

  /** Shows a refused form again, with what was typed; null where that was not read, or comes from elsewhere. */
  async function showsAgain(
    { kind, details, retryAfterS }: ApiError,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string | null> {
    const { status, fr } = kind
    if (request.body === undefined || status === 404 || !isFromHere(request)) return null
    const untitled = { path: request.url, title: form.title, lead: '', crumbs: [] }
    const again = retryAfterS === undefined ? '' : ` ${t.form.again(retryAfterS)}`
    const problem = status === 429 ? t.form.limited : status === 503 ? t.form.unavailable : fr
    const { about, fields } = found.get(request) ?? {
      about: untitled,
      fields: typeof form.fields === 'function' ? [] : form.fields,
    }
    const body = asking(about, fields, textsOf(request.body), details ?? [], `${problem}${again}`)
    const page = pageOf(about, body, t.form.titles.error, form.script?.path)
    headersOf(withReferrer(reply), page)
    // Without its banner while that cannot be read: what was typed would be lost with the page.
    const hasBanner = status < 500 && page.commune === undefined
    const banner = hasBanner ? await request.site.readBanner().catch(() => null) : null
    return renderPage(request.site, { ...page, banner }, request.url)
  }

  const ask = async (reply: FastifyReply, about: Shown & { subject: Subject }, ...given: Given) => {
    const body = asking(about, await fieldsOf(about.subject), ...given)
    const isRefused = given[2] !== undefined
    const state = isRefused ? t.form.titles.error : undefined
    return show(reply, about, html`${body}${form.after?.(about.subject, false)}`, state)
  }

  const close = (reply: FastifyReply, about: Shown & Closed) =>
    show(reply, about, html`<p class="lead">${about.lead}</p>${about.closed}`)

  const asking = (
    about: Shown,
    fields: readonly Field[],
    ...[values, problems, problem]: Given
  ): Markup => html`<p class="lead">${about.lead}</p>
${problem && html`<div class="summary" role="alert" tabindex="-1" autofocus><p>${problem}</p>${problems.length > 0 && html`<ul>${problems.map(({ field, message }) => html`<li>${linkTo(fields, field)} : ${message.fr}</li>`)}</ul>`}</div>`}
<form method="post" action="${about.path}${keptSearch(about)}" class="form">
${fields.map((field) => fieldOf(field, values[field.name] ?? '', problems))}
<div class="trap" aria-hidden="true"><label for="${trap}">${t.form.trap}</label><input type="text" id="${trap}" name="${trap}" tabindex="-1" autocomplete="off"></div>
<input type="hidden" name="moment" value="${times.now()}">
<button type="submit">${form.button ?? t.form.send}</button>
</form>${form.script?.parts()}`

  const show = (reply: FastifyReply, about: Shown, body: Markup, state?: (title: string) => string) =>
    sendPage(withReferrer(reply), reply.request.site, pageOf(about, body, state, form.script?.path))
}

/** The page that confirms; it keeps the secteur that a resident has chosen. */
const sentPage = (about: Shown) => `${about.path}?envoye=1${keptSearch(about).replace('?', '&')}`

/** The secteur in the address of a form; with its commune, where that is not part of the address. */
function keptSearch({ path, commune }: Shown): string {
  if (commune === undefined || commune.search === '' || path.startsWith(`${commune.path}/`))
    return commune?.search ?? ''
  return `${commune.search}&commune=${commune.path.slice('/communes/'.length)}`
}

type Given = [values: Values, problems: readonly Problem[], problem?: string]

/** Without a referrer policy of its own, a browser would send the form with the origin `null`. */
const withReferrer = (reply: FastifyReply) => reply.header('referrer-policy', 'same-origin')

/** `state`: the title of the window once the form was sent, by which a screen reader says what became of it. */
const pageOf = (
  { title, lead, crumbs, commune, group }: Shown,
  body: Markup,
  state: (title: string) => string = (same) => same,
  script?: string,
): Page => ({
  title: state(title),
  description: lead || title,
  path: null,
  body: html`<h1>${title}</h1>
${body}`,
  ...(crumbs && { crumbs }),
  ...(commune && { commune }),
  ...(group !== undefined && { group }),
  ...(script !== undefined && { script }),
})

/** Leads to a field, where the form shows it. */
function linkTo(fields: readonly Field[], name: string): Markup {
  const field = fields.find((one) => one.name === name)
  if (field === undefined || field.kind === 'hidden') return html`${field?.label ?? name}`
  return html`<a href="#${name}">${field.label}</a>`
}

function fieldOf(field: Field, value: string, problems: readonly Problem[]): Markup {
  const { name, label, kind, isRequired, maxLength, autocomplete } = field
  const hint = [field.hint, kind === 'email' && t.form.emailFormat].filter(Boolean).join(' ')
  if (kind === 'hidden')
    return html`<input type="hidden" name="${name}" value="${value}">
`
  const problem = problems.find((one) => one.field === name)
  const described = [hint && `${name}-aide`, problem && `${name}-erreur`].filter(Boolean).join(' ')
  // A required list that has no value yet begins with none, so that nobody sends its first one unread.
  const isOpen = isRequired && (typeof kind === 'string' || !kind.some((option) => option.value === value))
  const shown = isOpen && typeof kind !== 'string' ? [{ value: '', label: t.form.choose }, ...kind] : kind
  const attributes = html` id="${name}" name="${name}"${isOpen && html` required`}${maxLength !== undefined && html` maxlength="${maxLength}"`}${autocomplete && html` autocomplete="${autocomplete}"`}${described && html` aria-describedby="${described}"`}${problem && html` aria-invalid="true"`}`
  return html`<div class="field${problem && ' wrong'}"><label for="${name}">${label}${!isRequired && html` <span class="soft">${t.form.optional}</span>`}</label>
${hint && html`<span class="hint" id="${name}-aide">${hint}</span>`}${problem && html`<span class="error" id="${name}-erreur">${problem.message.fr}</span>`}
${control(shown, attributes, value)}</div>
`
}

function control(kind: Field['kind'], attributes: Markup, value: string): Markup {
  if (kind === 'textarea')
    return html`<textarea${attributes} rows="8">
${value}</textarea>`
  if (typeof kind === 'string') return html`<input type="${kind}"${attributes} value="${value}">`
  return html`<select${attributes}>${kind.map(
    (option) =>
      html`<option value="${option.value}"${option.value === value && html` selected`}>${option.label}</option>`,
  )}</select>`
}

/** Refuses what another site sends, before anything is read or counted. */
export const refuseElsewhere = async (request: FastifyRequest) => {
  if (!isFromHere(request)) throw forbidden()
}

/** True unless another site sends the form: it comes from its own origin, or on the platform from that of a public address. */
function isFromHere({ headers, site: { config, domain, url } }: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  const ours = (domain === null ? [config.publicUrl, url] : [url]).map((address) => new URL(address).origin)
  if (origin !== undefined && ours.includes(origin)) return true
  return site === undefined ? origin === undefined : site === 'same-origin'
}

/** Returns the fields of a form that are given once, as browsers send lines. */
function textsOf(body: unknown): Values {
  const entries = Object.entries((body ?? {}) as Record<string, unknown>)
  return Object.fromEntries(
    entries.flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value.replaceAll('\r\n', '\n')]] : [],
    ),
  )
}

/** Signs the time at which a form was shown: a program sends it at once, or one that it has kept. */
function signedTimes(secret: string, clock: SiteBase['clock']) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'parvis forms', 32))
  const sign = (at: string) => createHmac('sha256', key).update(at).digest('base64url')
  return {
    now: () => {
      const at = `${clock().getTime()}`
      return `${at}.${sign(at)}`
    },
    isValid(text: string, leastAgeMs: number): boolean {
      const [at = '', signature = ''] = text.split('.')
      const [given, expected] = [Buffer.from(signature), Buffer.from(sign(at))]
      const ageMs = clock().getTime() - Number(at)
      const isSigned = given.length === expected.length && timingSafeEqual(given, expected)
      return isSigned && ageMs >= leastAgeMs && ageMs <= maxAgeMs
    },
  }
}
