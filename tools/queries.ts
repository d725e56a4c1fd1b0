import pg from 'pg'
import type { RouteCalls } from '../test/support/route-calls.ts'

type Sent = { client: unknown; text: string }

/** Records every statement this process sends. Call it before the first connection is opened. */
export function watchStatements() {
  let sent: Sent[] = []
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [first] = given
    const text = typeof first === 'string' ? first : (first as { text?: string }).text
    if (text !== undefined) sent.push({ client: this, text })
    return (query as (...given: unknown[]) => unknown).apply(this, given)
  } as typeof query
  return async (during: () => Promise<unknown>): Promise<string[]> => {
    sent = []
    await during()
    return inOrder(sent)
  }
}

/** Statements over several connections have no order; from there on they are listed alphabetically. */
function inOrder(sent: Sent[]): string[] {
  const second = sent.find(({ client }) => client !== sent[0]?.client)?.client
  const units: string[][] = []
  const open = new Map<unknown, string[]>()
  let alone = Number.POSITIVE_INFINITY
  for (const { client, text } of sent) {
    if (client === second) alone = Math.min(alone, units.length)
    const unit = open.get(client) ?? []
    if (unit.length === 0) units.push(unit)
    unit.push(text)
    const begins = /^(begin|start transaction)/.test(unit[0] ?? '')
    if (begins && !/^(commit|rollback)/.test(text)) open.set(client, unit)
    else open.delete(client)
  }
  const together = units.slice(alone).sort((one, other) => (one.join() < other.join() ? -1 : 1))
  return [...units.slice(0, alone), ...together].flat()
}

/** Statements of one call of a route. */
type Listed = { name: string; statements: string[] }

/**
 * Lists the statements of every route as Markdown, one file per module: paths with their content. Statements that many
 * routes share are listed once, in `docs/queries.md`.
 */
export async function describeQueries(
  callsByModule: ReadonlyMap<string, RouteCalls>,
  statementsOf: ReturnType<typeof watchStatements>,
): Promise<Record<string, string>> {
  const listed = new Map<string, Listed[]>()
  for (const [module, calls] of callsByModule) listed.set(module, await listCalls(calls, statementsOf))
  const uses = Map.groupBy(
    [...listed.values()].flat().flatMap(({ statements }) => [...new Set(statements)]),
    (statement) => statement,
  )
  const shared = [...uses].filter(([, each]) => each.length > 8).map(([statement]) => statement)
  const names = new Map(shared.map((statement, index) => [statement, nameOf(statement, index)]))
  const files: Record<string, string> = {}
  for (const [module, routes] of listed)
    for (const [part, some] of partsOf(routes))
      files[`src/modules/${module}/queries${part}.generated.md`] = page(module, some, names)
  const common = [...names].filter(([statement]) => !isShort(statement))
  const pages = Object.keys(files).map((file) => `- [${file}](../${file})`)
  files['docs/queries.md'] =
    `${head}\n${pages.join('\n')}\n\n## Shared statements\n\n` +
    common.map(([statement, name]) => `${name}\n\n${block(statement)}\n`).join('\n')
  for (const [file, content] of Object.entries(files)) {
    const lines = content.split('\n').length
    if (lines > mostLines) throw new Error(`${file} has ${lines} lines: split it (partsOf, tools/queries.ts)`)
  }
  return files
}

/** A page that reviewers can still read. */
const mostLines = 500

async function listCalls(
  calls: RouteCalls,
  statementsOf: ReturnType<typeof watchStatements>,
): Promise<Listed[]> {
  const all: Listed[] = []
  for (const [name, stage] of Object.entries(calls)) {
    const { by, path, body, headers } = await stage()
    const statements = await statementsOf(async () => {
      const answer = await by.client.send(name.split(' ')[0] ?? '', path, body, headers && { headers })
      if (answer.status >= 300) throw new Error(`${name} answered ${answer.status}: ${answer.text}`)
    })
    all.push({ name, statements: statements.map(tidy) })
  }
  return all
}

/** A module with many routes has a file for each audience. */
function partsOf(routes: Listed[]): [suffix: string, routes: Listed[]][] {
  const audience = ({ name }: Listed) => / \/(admin|mairie|me)\//.exec(name)?.[1]
  const isLong = routes.length > 20
  const parts = Map.groupBy(routes, (route) => {
    const of = isLong ? audience(route) : undefined
    return of === undefined ? '' : `.${of}`
  })
  return [...parts]
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
  const above = `Generated by \`npm run generate\`. [docs/queries.md](../../../docs/queries.md) explains the notation.`
  return `# Statements of ${module}\n\n${above}\n\n${sections.join('\n')}`
}

/** pg-boss documents its own statements. */
const isOfJobs = (statement: string) => /\bpgboss\b/.test(statement)

const nameOf = (statement: string, index: number) =>
  isShort(statement) ? `*${statement}*` : `*S${index + 1}*`

const head = `# Queries

The statements that each route sends to PostgreSQL, in order. \`npm run generate\` calls every route once and records
them; \`npm run check\` fails when a page is outdated. There is one page per module, beside its code:
`

/** `begin` and the like need no listing. */
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
