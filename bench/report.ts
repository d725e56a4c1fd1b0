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

/** Formats one table for a Markdown page. */
export function tableOf(circumstances: Circumstances, rows: Row[]): string {
  const { date, commit, machine, postgresql, loadMaker, publications, turns } = circumstances
  const count = publications.toLocaleString('en').replaceAll(',', ' ')
  const cells = [
    ['scenario', 'measured', 'target', 'verdict', 'notes'],
    ...rows.map(({ scenario, measured, target, verdict, notes }) => [
      scenario,
      measured,
      target,
      verdict,
      notes.join('; ').slice(0, 120),
    ]),
  ]
  const widths = cells[0]?.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0))) ?? []
  const line = (row: string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = cells
  const counts = (['reached', 'missed', 'skipped'] as const).map(
    (verdict) => `${rows.filter((row) => row.verdict === verdict).length} ${verdict}`,
  )
  return [
    `${count} publications, commit ${commit}, ${date}; ${machine}; PostgreSQL ${postgresql}; load by ${loadMaker}; ${turns}.`,
    `${counts.join(', ')}.`,
    '',
    line(head),
    line(widths.map((width) => '-'.repeat(width))),
    ...body.map(line),
    '',
  ].join('\n')
}

const mark = '<!-- Written by `npm run bench -- --keep`. -->\n'

/** Replaces the table of docs/performance-last-run.md, without the padding that aligns it in a terminal. */
export function writeTable(table: string): void {
  const file = join(import.meta.dirname, '../docs/performance-last-run.md')
  const [explained = ''] = readFileSync(file, 'utf8').split(mark)
  writeFileSync(file, `${explained}${mark}\n${table.replaceAll(/ +\|/g, ' |').replaceAll(/-{4,}/g, '---')}`)
}
