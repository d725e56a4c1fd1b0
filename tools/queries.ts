import pg from 'pg'
import type { RouteCalls } from '../test/support/route-calls.ts'

type Sent = { client: unknown; text: string }

/** Sees every statement that this process sends. Begins before the first connection is made. */
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

/** What goes over several connections at once has no order of its own: from there on it is listed by the alphabet. */
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

/** What each route sends to PostgreSQL, as Markdown. What many routes begin with is told once. */
export async function describeQueries(
  calls: RouteCalls,
  statementsOf: ReturnType<typeof watchStatements>,
): Promise<string> {
  const sent: [name: string, statements: string[]][] = []
  for (const [name, stage] of Object.entries(calls)) {
    const { by, path, body, headers } = await stage()
    const statements = await statementsOf(async () => {
      const answer = await by.client.send(name.split(' ')[0] ?? '', path, body, headers && { headers })
      if (answer.status >= 300) throw new Error(`${name} answered ${answer.status}: ${answer.text}`)
    })
    sent.push([name, statements.map(tidy)])
  }
  const uses = Map.groupBy(
    sent.flatMap(([, statements]) => [...new Set(statements)]),
    (statement) => statement,
  )
  const shared = [...uses].filter(([, each]) => each.length > 8).map(([statement]) => statement)
  const [words, long] = [shared.filter(isShort), shared.filter((statement) => !isShort(statement))]
  const nameOf = new Map([
    ...words.map((statement) => [statement, `*${statement}*`] as const),
    ...long.map((statement, index) => [statement, `*S${index + 1}*`] as const),
  ])
  const sections = sent.map(([name, statements]) => {
    const lines = statements.map((statement) => nameOf.get(statement) ?? block(statement))
    return `## ${name}\n\n${merged(lines).join('\n\n')}\n`
  })
  const common = long.map((statement) => `${nameOf.get(statement)}\n\n${block(statement)}\n`)
  return `${head}${[...common, ...sections].join('\n')}`
}

const head = `# Queries

What each route really sends to PostgreSQL, in order: written by \`npm run generate\`, which calls every route once and
listens. After a \`?\` stands what tells several calls of one route apart.

## Shared

`

/** `begin` and its kind stand for themselves. */
const isShort = (statement: string) => statement.length < 20

const block = (statement: string) => `\`\`\`sql\n${statement}\n\`\`\``

/** Names that follow each other on one line. */
function merged(lines: string[]): string[] {
  const all: string[] = []
  for (const line of lines) {
    const last = all.at(-1)
    if (line.startsWith('*') && last?.startsWith('*')) all[all.length - 1] = `${last} · ${line}`
    else all.push(line)
  }
  return all
}

/** One indentation for all, and lines that can be read. */
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
