import pg from 'pg'
import type { Pools } from '../src/platform/database/connect.ts'
import type { RouteCalls } from '../test/support/route-calls.ts'

type Sent = { client: unknown; text: string; isPrepared: boolean }

export type StatementWatch = {
  /** Labels the connections of these pools. Call it before they are opened. */
  names(pools: Pools): void
  /** Runs the work and returns the statements it sends, each with its pool and whether it is prepared. */
  during(work: () => Promise<unknown>): Promise<string[]>
}

/** Records every statement this process sends. Call it before the first connection is opened. */
export function watchStatements(): StatementWatch {
  let sent: Sent[] = []
  const pools = new WeakMap<object, string>()
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [first] = given
    const { text, name } = typeof first === 'string' ? { text: first } : (first as Partial<pg.QueryConfig>)
    if (text !== undefined) sent.push({ client: this, text, isPrepared: name !== undefined })
    return (query as (...given: unknown[]) => unknown).apply(this, given)
  } as typeof query
  const labelled = ({ client, text, isPrepared }: Sent) => {
    if (isShort(text)) return text
    const pool = poolNames[pools.get(client as object) ?? ''] ?? 'its own connection'
    return `-- ${pool}, ${isPrepared ? 'prepared' : 'planned each time'}\n${tidy(text)}`
  }
  return {
    names(all) {
      for (const [name, pool] of Object.entries(all)) pool.on('connect', (client) => pools.set(client, name))
    },
    async during(work) {
      sent = []
      await work()
      return inOrder(sent).map(labelled)
    },
  }
}

/** Pools by the name of the database in `Deps`. */
const poolNames: Record<string, string> = {
  writes: 'db',
  reads: 'reads',
  lists: 'lists',
  jobs: 'jobs',
  counters: 'counters',
  health: 'health',
}

/** Sorts statements from the second connection on: across connections their order varies. */
function inOrder(sent: Sent[]): Sent[] {
  const second = sent.find(({ client }) => client !== sent[0]?.client)?.client
  const units: Sent[][] = []
  const open = new Map<unknown, Sent[]>()
  let alone = Number.POSITIVE_INFINITY
  for (const one of sent) {
    const { client, text } = one
    if (client === second) alone = Math.min(alone, units.length)
    const unit = open.get(client) ?? []
    if (unit.length === 0) units.push(unit)
    unit.push(one)
    const begins = /^(begin|start transaction)/.test(unit[0]?.text ?? '')
    if (begins && !/^(commit|rollback)/.test(text)) open.set(client, unit)
    else open.delete(client)
  }
  const keyOf = (unit: Sent[]) => unit.map(({ text }) => text).join()
  const together = units.slice(alone).sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
  return [...units.slice(0, alone), ...together].flat()
}

/** Statements of one call of a route. */
type Listed = { name: string; statements: string[] }

export const queriesFolder = 'docs/queries'

/** Calls each route once and returns the statements that each call sends, by module. */
export async function listStatements(
  callsByModule: ReadonlyMap<string, RouteCalls>,
  watch: StatementWatch,
): Promise<Map<string, Listed[]>> {
  const listed = new Map<string, Listed[]>()
  for (const [module, calls] of callsByModule) listed.set(module, await listCalls(calls, watch))
  return listed
}

/**
 * Writes statements as Markdown, one page per module; returns the pages by path. Statements that many routes share are
 * on the first page.
 */
export function describeStatements(listed: ReadonlyMap<string, Listed[]>): Record<string, string> {
  const shared = sharedOf([...listed.values()].flat())
  const names = new Map(shared.map((statement, index) => [statement, nameOf(statement, index)]))
  const pages = Array.from(listed, ([module, routes]) => [
    `${queriesFolder}/${module}.md`,
    page(module, routes, names),
  ])
  const common = [...names].filter(([statement]) => !isShort(statement))
  const sections = common.map(([statement, name]) => `${name}\n\n${block(statement)}\n`)
  return { [`${queriesFolder}/README.md`]: `${head}\n${sections.join('\n')}`, ...Object.fromEntries(pages) }
}

/** Statements that more than eight calls send. */
function sharedOf(calls: Listed[]): string[] {
  const uses = Map.groupBy(
    calls.flatMap(({ statements }) => [...new Set(statements)]),
    (statement) => statement,
  )
  return [...uses]
    .filter(([statement, each]) => each.length > 8 || isShort(statement))
    .map(([statement]) => statement)
}

/**
 * Returns statements of GET routes that run elsewhere than the concurrency limit of their route counts: lists on
 * `lists`, other reads on `reads`.
 */
export function misplacedReads(listed: Listed[], lists: ReadonlySet<string>): string[] {
  const shared = new Set(sharedOf(listed))
  return listed
    .filter(({ name }) => name.startsWith('GET '))
    .flatMap(({ name, statements }) => {
      const [route = name] = name.split('?')
      const expected = lists.has(route) ? 'lists' : 'reads'
      const places = statements
        .filter((statement) => !shared.has(statement) && !isOfJobs(statement))
        .flatMap((statement) => /^-- (.+), /.exec(statement)?.[1] ?? [])
      // The mairie of the path is looked up before the route.
      const own = places.filter((place) => !route.startsWith('GET /mairie/') || place !== 'reads')
      return own.filter((place) => place !== expected).map((place) => `${name} runs on ${place}`)
    })
}

async function listCalls(calls: RouteCalls, watch: StatementWatch): Promise<Listed[]> {
  const all: Listed[] = []
  for (const [name, stage] of Object.entries(calls)) {
    const { by, path, body, headers } = await stage()
    const statements = await watch.during(async () => {
      const answer = await by.client.send(name.split(' ')[0] ?? '', path, body, headers && { headers })
      if (answer.status >= 300) throw new Error(`${name} answered ${answer.status}: ${answer.text}`)
    })
    all.push({ name, statements })
  }
  return all
}

function page(module: string, routes: Listed[], names: ReadonlyMap<string, string>): string {
  const seen = new Map<string, string>()
  const sections = routes.map(({ name, statements }) => {
    const lines = statements.map((statement) => {
      const known = names.get(statement) ?? seen.get(statement)
      if (known !== undefined) return known
      if (isOfJobs(statement)) return '*pg-boss*'
      seen.set(statement, `*as in ${name}*`)
      return block(statement)
    })
    return `## ${name}\n\n${merged(lines).join('\n\n')}\n`
  })
  return `# Statements of ${module}\n\n[README.md](README.md) explains the notation.\n\n${sections.join('\n')}`
}

/** pg-boss documents its own statements. */
const isOfJobs = (statement: string) => /\bpgboss\b/.test(statement)

const nameOf = (statement: string, index: number) =>
  isShort(statement) ? `*${statement}*` : `*S${index + 1}*`

const head = `# Statements of each route

\`npm run generate\` calls every route once and records the statements that it sends to PostgreSQL, in order, on one page
per module. Above each statement stands where it runs, which is the database it was given (\`db\`, \`reads\`, \`lists\`;
\`counters\` are rate limits), and whether it is prepared. Statements of many routes are listed here and named there.
`

/** Returns true for `begin` and the like, which are not listed in full. */
const isShort = (statement: string) => statement.length < 20

const block = (statement: string) => `\`\`\`sql\n${statement}\n\`\`\``

/** Joins consecutive names on one line. */
function merged(lines: string[]): string[] {
  const all: string[] = []
  for (const line of lines) {
    const last = all.at(-1)
    if (line.startsWith('*') && last?.endsWith(line)) continue
    if (line.startsWith('*') && last?.startsWith('*')) all[all.length - 1] = `${last} · ${line}`
    else all.push(line)
  }
  return all
}

/** Normalises indentation and line lengths. */
function tidy(statement: string): string {
  const lines = statement
    .trim()
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.length > 1 ? lines.join('\n') : wrapped(lines[0] ?? '')
}

const wrapped = (line: string) =>
  line.length < 110
    ? line
    : line.replaceAll(
        / (from|where|order by|limit|left join|inner join|set|values|on conflict|returning) /g,
        '\n$1 ',
      )
