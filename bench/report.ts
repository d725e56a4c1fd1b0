import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem, type } from 'node:os'
import { join } from 'node:path'

export type Row = {
  scenario: string
  /** Text for readers; `figures` has the numbers. */
  measured: string
  target: string
  verdict: 'reached' | 'missed' | 'skipped'
  notes: string[]
  figures: Record<string, number>
}

export type Circumstances = {
  date: string
  commit: string
  machine: string
  postgresql: string
  loadMaker: string
  publications: number
  turns: string
}

export function circumstances(
  rest: Pick<Circumstances, 'postgresql' | 'loadMaker' | 'publications' | 'turns'>,
) {
  const [first] = cpus()
  const gb = Math.round(totalmem() / 2 ** 30)
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: commit(),
    machine: `${cpus().length} × ${first?.model.trim() ?? 'unknown'}, ${gb} GB, ${type()}, Node ${process.versions.node}`,
    ...rest,
  }
}

/** Returns the commit, marked if the files differ from it. */
function commit(): string {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: import.meta.dirname, encoding: 'utf8' }).trim()
  try {
    return git('describe', '--always', '--dirty')
  } catch {
    return 'unknown'
  }
}

/** Formats the rows as one table for a terminal. */
export function tableOf(circumstances: Circumstances, rows: Row[]): string {
  const cells = [
    ['scenario', 'measured', 'target', 'verdict', 'notes'],
    ...rows.map(({ scenario, measured, target, verdict, notes }) => [
      scenario,
      measured,
      target,
      verdict,
      noted(notes),
    ]),
  ]
  const widths = cells[0]?.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0))) ?? []
  const line = (row: string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = cells
  const counts = verdicts.map(
    (verdict) => `${rows.filter((row) => row.verdict === verdict).length} ${verdict}`,
  )
  return [
    sentenceOf(circumstances),
    `${counts.join(', ')}.`,
    '',
    line(head),
    line(widths.map((width) => '-'.repeat(width))),
    ...body.map(line),
    '',
  ].join('\n')
}

const verdicts = ['missed', 'reached', 'skipped'] as const

const noted = (notes: string[]) => notes.join('; ').slice(0, 120)

function sentenceOf(circumstances: Circumstances): string {
  const { date, commit, machine, postgresql, loadMaker, publications, turns } = circumstances
  const count = publications.toLocaleString('en').replaceAll(',', ' ')
  return `${count} publications, commit ${commit}, ${date}; ${machine}; PostgreSQL ${postgresql}; load by ${loadMaker}; ${turns}.`
}

const mark = '<!-- Written by `npm run bench -- --keep`. -->\n'

/** Replaces the tables of docs/performance-last-run.md: one for each verdict, so that no row repeats it. */
export function writePage(circumstances: Circumstances, rows: Row[]): void {
  const file = join(import.meta.dirname, '../docs/performance-last-run.md')
  const [explained = ''] = readFileSync(file, 'utf8').split(mark)
  const tables = verdicts.flatMap((verdict) => {
    const all = rows.filter((row) => row.verdict === verdict)
    if (all.length === 0) return []
    const own = joined(all)
    const lines = own.map(({ scenario, measured, target, notes }, at) => {
      const cell = [measured, noted(notes)].filter((text) => text !== '').join('. ')
      return `| ${scenario} | ${cell} | ${target === own[at - 1]?.target ? '″' : target} |`
    })
    const head = ['| scenario | measured | target |', '| --- | --- | --- |']
    return ['', `## ${all.length} ${verdict}`, '', ...head, ...lines]
  })
  writeFileSync(file, [`${explained}${mark}`, sentenceOf(circumstances), ...tables, ''].join('\n'))
}

/** Makes one row of many in sequence that compare requests of one kind (`back-office, …`) by the same goal. */
function joined(rows: Row[]): Row[] {
  const kindOf = ({ scenario, target, figures }: Row) =>
    'other_p50_ms' in figures ? `${scenario.split(', ')[0]}: ${target}` : scenario
  const groups = Object.values(Object.groupBy(rows, kindOf)) as Row[][]
  return groups.flatMap((group) => {
    const [first] = group
    if (first === undefined || group.length < 5) return group
    const range = (name: string) => {
      const values = group.map(({ figures }) => figures[name] ?? 0)
      return `${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)}`
    }
    const [kind = ''] = first.scenario.split(', ')
    const names = group.map(({ scenario }) => scenario.slice(kind.length + 2))
    const measured = `${range('p50_ms')} ms; ${range('ratio')}`
    return { ...first, scenario: `${kind}, each of: ${names.join('; ')}`, measured, notes: [] }
  })
}
