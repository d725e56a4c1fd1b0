import { neededBy } from '../src/platform/database/migrate/migrations.ts'

/** Why a migration must not run while the service works on a million rows. */
export type Fault = { statement: string; fault: string }

/** Tables with few rows, or not read while they change: every lock on them is short. */
const small = [
  'actor_users',
  'app_sources',
  'first_loads',
  'migration_digests',
  'publication_types',
  'saved_views',
  'secteurs',
  'user_roles',
]

const column = String.raw`add column (?:if not exists )?\w+`
const anything = String.raw`(?:[^(),]|\((?:[^()]|\([^()]*\))*\))*`
/** Operations that lock a large table for long. */
const rules: [pattern: RegExp, fault: string][] = [
  [
    /^create (unique )?index (?!concurrently)/,
    'builds an index while nobody can write: create it concurrently',
  ],
  [/^reindex (?!.*concurrently)/, 'builds an index while nobody can write: do it concurrently'],
  [
    / add (constraint \w+ )?(check|foreign key)\b(?!.* not valid)/,
    'reads every row under a lock: add it as not valid, and validate it in a file of its own',
  ],
  [
    / add column .*\b(check|references)\b/,
    'reads every row under a lock: add the constraint apart, as not valid',
  ],
  [
    / add (constraint \w+ )?(unique|primary key)(?! using index)\b/,
    'builds an index under a lock: build it concurrently, then add the constraint using index',
  ],
  [
    / add (constraint \w+ )?exclude\b/,
    'builds an index under a lock: exclusions belong to the creation of a table',
  ],
  [
    new RegExp(
      ` ${column} ${anything}\\bnot null\\b(?!${anything}\\bdefault\\b)(?<!\\bdefault\\b${anything})`,
    ),
    'has no value for the rows that are there, nor for those that the version before adds: give a default',
  ],
  [/ add column .*\bgenerated always as\b.*\bstored\b/, 'writes every row again under a lock'],
  [
    / add column .*\bdefault [^,]*(gen_random_uuid|clock_timestamp|random|nextval)\b/,
    'writes every row again under a lock: a default that differs by row comes after the column',
  ],
  [
    / alter (column )?\w+ (set data )?type\b/,
    'writes every row again under a lock: add a column, and move over in the version after',
  ],
  [
    / alter (column )?\w+ set not null\b/,
    'reads every row under a lock: add a check that is not valid, and validate it in a file of its own',
  ],
  [/^(update|delete from) /, 'changes every row in one transaction: let a job do it, some at a time'],
  [/^(cluster|vacuum full)\b/, 'writes a table again under a lock'],
  [/^lock /, 'locks a table'],
]

/** Operations that break the previous version, unless the name of the file says which version no longer needs it. */
const removals: typeof rules = [
  [/^truncate /, 'takes rows that the version before works on'],
  [/^drop table /, 'takes what the version before works on: that waits for the version after'],
  [/ drop column /, 'takes what the version before works on: that waits for the version after'],
  [/ rename (column |to )/, 'takes a name that the version before works with'],
]

/** Checks one file. Tables that it creates itself are empty, so every operation on them is allowed. */
export function lintMigration(text: string, name = ''): Fault[] {
  const isOutside = text.startsWith('-- outside a transaction')
  const isMarked = neededBy(name) !== null
  const statements = statementsOf(text)
  const own = statements.flatMap(
    (one) => /^create (?:unlogged )?table (?:if not exists )?(\w+)/.exec(one)?.[1] ?? [],
  )
  const views = statements.flatMap((one) => /^create view (\w+)/.exec(one)?.[1] ?? [])
  return statements.flatMap((statement) => {
    const table = tableOf(statement) ?? ''
    if (own.includes(table)) return []
    // The version before reads the views in their place.
    const dropped = /^drop table ([\w, ]+)$/.exec(statement)?.[1]?.split(', ')
    if (dropped?.every((name) => views.includes(name))) return []
    const locks = small.includes(table) ? [] : faultsOf(statement, isOutside)
    const removed = isMarked ? [] : foundBy(removals, statement)
    return [...locks, ...removed].map((fault) => ({ statement, fault }))
  })
}

const foundBy = (patterns: typeof rules, statement: string) =>
  patterns.flatMap(([pattern, fault]) => (pattern.test(statement) ? [fault] : []))

function faultsOf(statement: string, isOutside: boolean): string[] {
  const faults = foundBy(rules, statement)
  const isApart = /\bconcurrently\b|^alter table .* validate constraint\b/.test(statement)
  if (isApart && !isOutside) faults.push('takes long: its file begins with "-- outside a transaction"')
  return faults
}

function tableOf(statement: string): string | null {
  const found =
    /^(?:alter|drop|lock) table (?:if exists )?(?:only )?(\w+)/.exec(statement) ??
    /^create (?:unique )?index .*? on (?:only )?(\w+)/.exec(statement) ??
    /^(?:update|delete from|truncate(?: table)?|cluster) (\w+)/.exec(statement)
  return found?.[1] ?? null
}

/** Returns statements without comments, strings and function bodies, one per line. */
function statementsOf(sql: string): string[] {
  return sql
    .replaceAll(/(\$\w*\$)[\s\S]*?\1|'(?:[^']|'')*'|--[^\n]*/g, (one) => (one.startsWith('--') ? '' : "''"))
    .toLowerCase()
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
    .filter(Boolean)
}
