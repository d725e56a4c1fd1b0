import type { RouteOptions } from 'fastify'
import type { Audience } from '../src/platform/http/http-server.ts'
import { whoMay } from '../src/platform/http/openapi/who-may.ts'
import type { Module } from '../src/platform/module.ts'

type Row = { route: string; who: string; limit: string; trail: string }

/** Who may call what, how often, and what is kept of it, as Markdown. */
export function describeRights(routes: RouteOptions[], modules: readonly Module[]): string {
  const personal = new Map(modules.flatMap(({ audited = [] }) => audited.map((kind) => [kind.entity, kind])))
  const usual = Object.assign({}, ...modules.map(({ limits }) => limits)) as Record<string, string>
  const limitOf = ({ limit, sparesAdmins }: NonNullable<RouteOptions['config']>) => {
    if (limit === undefined) return ''
    return `${limit} ${usual[limit]}${sparesAdmins ? ', administrators apart' : ''}`
  }
  const sections = Map.groupBy(routes, ({ config }) => config?.audience)
  const tables = (Object.keys(titles) as (keyof typeof titles)[]).flatMap((audience) => {
    const rows = (sections.get(audience) ?? []).map(({ method, url, config = {} }): Row => {
      const kind = personal.get(config.audits?.split('.')[0] ?? '')
      const kept = kind === undefined || kind.personal.length === 0 ? '' : ` (${kind.personal.join(', ')})`
      return {
        route: `${String(method)} ${url.replace('/api/v1', '').replaceAll(/:(\w+)/g, '{$1}')}`,
        who: whoMay(config),
        limit: limitOf(config),
        trail: config.audits === undefined ? '' : `${config.audits}${kept}`,
      }
    })
    return rows.length === 0
      ? []
      : [`## ${titles[audience].title}\n\n${titles[audience].about}\n\n${table(rows)}`]
  })
  return `${head}\n${tables.join('\n\n')}\n`
}

const head = `# Rights

Who may call which route, how often by default, and which action the trail keeps of it; in brackets the fields of which
the trail keeps the name alone. Written by \`npm run generate\` from the routes themselves.
`

const titles = {
  public: {
    title: 'Public',
    about: 'Whoever names an application (`X-App-Source`).',
  },
  bearer: { title: 'Signed in', about: 'A token (`Authorization`).' },
  mairie: {
    title: 'Mairie',
    about: 'An application, a token, and membership of the mairie that the path names; or an administrator.',
  },
  admin: {
    title: 'Back-office',
    about: 'The application `backoffice`, a token, and a role that opens the area.',
  },
  webhook: { title: 'Webhook', about: 'A signature over the body.' },
} satisfies Partial<Record<Audience, object>>

function table(rows: Row[]): string {
  const lines = rows.map(({ route, who, limit, trail }) => `| ${route} | ${who} | ${limit} | ${trail} |`)
  return ['| Route | Who | Limit | Trail |', '| --- | --- | --- | --- |', ...lines].join('\n')
}
