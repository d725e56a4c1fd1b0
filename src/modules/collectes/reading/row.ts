/** The fields of a table of collections, as its columns are called. */
export const columnNames = [
  'code_insee',
  'commune',
  'secteur',
  'type',
  'libelle',
  'mode',
  'jours',
  'semaines',
  'a_partir_du',
  'dates',
  'exceptions',
  'consignes',
] as const
export type ColumnName = (typeof columnNames)[number]

export const problemCodes = [
  'unknown_commune',
  'ambiguous_commune',
  'scope_violation',
  'no_commune',
  'unknown_day',
  'unknown_rhythm',
  'unknown_date',
  'unknown_mode',
  'date_needed',
  'one_day_needed',
  'repeated_exception',
  'too_many',
  'unreadable_event',
  'invalid',
] as const
export type ProblemCode = (typeof problemCodes)[number]

/** What is wrong in a row, and in which field; `commune` as it is written there. */
export type RowProblem = { row: number; commune: string | null; field: string; code: ProblemCode }

/**
 * What a file says in one place of one collection, not checked yet. Without a commune it is for those that were chosen by hand;
 * without a collection, its commune has none.
 */
export type ReadRow = {
  row: number
  code_insee: string | null
  commune: string | null
  collecte: Record<string, unknown> | null
  problems: { field: string; code: ProblemCode }[]
}
