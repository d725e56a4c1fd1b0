import type { FastifyContextConfig, RouteOptions } from 'fastify'
import { scopesOf } from '../src/platform/access/keys.ts'
import { platformRules } from '../src/platform/access/rules.ts'
import type { Audience } from '../src/platform/http/http-server.ts'
import { describeCallers, describeRule } from '../src/platform/http/openapi/who-may.ts'
import { limitOf, sparesAdmins } from '../src/platform/http/rate-limits/rate-limits.ts'
import type { Module } from '../src/platform/module.ts'

type Row = { route: string; who: string; rules: string; scopes: string; limit: string; audits: string }

/** Describes as Markdown who may call each route, how often, and which action the audit log records. */
export function describeRights(routes: RouteOptions[], modules: readonly Module[]): string {
  const personal = new Map(modules.flatMap(({ audited = [] }) => audited.map((kind) => [kind.entity, kind])))
  const usual = Object.assign({}, ...modules.map(({ settings }) => settings?.limits)) as Record<
    string,
    string
  >
  const describeLimit = (config: FastifyContextConfig) => {
    const name = limitOf(config)
    if (name === null) return ''
    return `${name} ${usual[name]}${sparesAdmins(config) ? ', administrators apart' : ''}`
  }
  const sections = Map.groupBy(routes, ({ config }) => config?.scope?.audience)
  const tables = (Object.keys(titles) as (keyof typeof titles)[]).flatMap((audience) => {
    const rows = (sections.get(audience) ?? []).map(({ method, url, config = {} }): Row => {
      const kind = personal.get(config.audits?.split('.')[0] ?? '')
      const kept = kind === undefined || kind.personal.length === 0 ? '' : ` (${kind.personal.join(', ')})`
      return {
        route: `${String(method)} ${url.replace('/api/v1', '').replaceAll(/:(\w+)/g, '{$1}')}`,
        who: describeCallers(config.scope ?? { audience }),
        rules: (config.scope?.rules ?? []).map(({ name }) => `\`${name}\``).join(', '),
        scopes: (scopesOf(String(method), config) ?? []).map((name) => `\`${name}\``).join(', '),
        limit: describeLimit(config),
        audits: config.audits === undefined ? '' : `${config.audits}${kept}`,
      }
    })
    return rows.length === 0
      ? []
      : [`## ${titles[audience].title}\n\n${titles[audience].about}\n\n${table(rows)}`]
  })
  return `${head}\n${tables.join('\n\n')}\n\n${rulesHead}\n\n${describeRules(modules)}\n`
}

const head = `# Rights

Who may call which route, by which [rule](#rules), with which scopes of an access key (without one: no key), how often by
default, and which action the audit log records; in brackets the fields of which the audit log stores only the name. Written by \`npm run generate\` from the routes and the
rules that guard them.
`

const rulesHead = `## Rules

Where a route names several, each guards what it allows.`

const titles = {
  public: {
    title: 'Public',
    about: 'Whoever names an application (`X-App-Source`).',
  },
  'sign-in': {
    title: 'Signing in',
    about: 'An application. Where a session is needed, the cookie names it.',
  },
  navigation: {
    title: 'Opened by browsers',
    about: 'Nothing: a browser is led there, by a link or by an identity provider.',
  },
  bearer: {
    title: 'Signed in',
    about: 'A token (`Authorization`), or the cookie of a session.',
  },
  mairie: {
    title: 'Mairie',
    about: 'An application, a token, and membership of the mairie that the path names; or an administrator.',
  },
  admin: {
    title: 'Back-office',
    about:
      'The application `backoffice`, a token, and a role that opens the area. A list with pages as CSV (`Accept: text/csv`) or at an address of `POST /admin/exports` writes `export.create`: the list and the names of the filters.',
  },
  webhook: { title: 'Webhook', about: 'A signature over the body.' },
} satisfies Partial<Record<Audience, object>>

function table(rows: Row[]): string {
  const lines = rows.map(
    ({ route, who, rules, scopes, limit, audits }) =>
      `| ${route} | ${who} | ${rules} | ${scopes} | ${limit} | ${audits} |`,
  )
  const head = ['| Route | Who | Rule | Key | Limit | Audit log |', '| --- | --- | --- | --- | --- | --- |']
  return [...head, ...lines].join('\n')
}

/** Describes each rule once. If a route has several rules, each guards the actions it allows. */
function describeRules(modules: readonly Module[]): string {
  const rules = [...Object.values(platformRules), ...modules.flatMap(({ permissions = [] }) => permissions)]
  const lines = rules.map((rule) => `| \`${rule.name}\` | ${rule.allows} | ${describeRule(rule)} |`)
  return ['| Rule | May | Who |', '| --- | --- | --- |', ...lines].join('\n')
}
