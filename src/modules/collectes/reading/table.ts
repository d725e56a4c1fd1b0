import { fold } from '../../../platform/formats/text.ts'
import { rowsOf } from '../../imports/readers/csv.ts'
import { ReadFailed } from '../../imports/readers/read-failed.ts'
import { dateOf, datesIn, exceptionsIn, inWeeksOf, joursIn, kindOf, kindOfName, rhythmOf } from './cells.ts'
import { type ColumnName, columnNames, type ProblemCode, type ReadRow } from './row.ts'

/** Other words for a column, folded. */
const otherWords: Partial<Record<ColumnName, string[]>> = {
  code_insee: ['insee', 'code commune'],
  commune: ['nom', 'nom de la commune', 'nom commune', 'ville'],
  secteur: ['zone', 'quartier', 'tournee'],
  type: ['type de dechet', 'type de dechets', 'type dechet', 'flux', 'dechet', 'dechets'],
  libelle: ['nom de la collecte', 'collecte', 'bac', 'intitule'],
  jours: ['jour', 'jour de collecte', 'jours de collecte'],
  semaines: ['semaine', 'frequence', 'rythme'],
  a_partir_du: ['debut', 'date de debut', 'premiere collecte', 'depuis le'],
  dates: ['date', 'dates de collecte'],
  exceptions: ['exception', 'reports', 'jours feries'],
  consignes: ['consigne', 'remarque', 'remarques'],
}

/** Titles may stand above the header. */
const maxTitleRows = 10

type Columns = Partial<Record<ColumnName, number>>

/** Yields the collections of a table; rows that name a commune and nothing else say nothing. */
export async function* readTable(text: string, today: string): AsyncGenerator<ReadRow> {
  let columns: Columns | null = null
  let row = 0
  for await (const cells of rowsOf(text)) {
    row += 1
    if (columns === null) {
      columns = columnsIn(cells)
      if (columns === null && row === maxTitleRows) break
      continue
    }
    const at = columns
    const cell = (name: ColumnName) => withoutApostrophe(cells[at[name] ?? -1]?.trim() ?? '')
    const said = columnNames.filter((name) => cell(name) !== '')
    if (said.every((name) => name === 'code_insee' || name === 'commune')) continue
    yield { ...communeIn(cell), row, ...collecteIn(cell, today) }
  }
  if (columns === null)
    throw new ReadFailed('It has no row with the columns code_insee or commune, and type or libelle.')
}

/** What our own files put before a text that a spreadsheet would execute. */
const withoutApostrophe = (text: string) => text.replace(/^'(?=[=+\-@])/, '')

/** Finds the columns of a header; null for any other row. */
function columnsIn(cells: string[]): Columns | null {
  const folded = cells.map(fold)
  const columns: Columns = {}
  for (const name of columnNames) {
    const at = [fold(name), ...(otherWords[name] ?? [])]
      .map((word) => folded.indexOf(word))
      .find((place) => place >= 0)
    if (at !== undefined) columns[name] = at
  }
  const has = (name: ColumnName) => columns[name] !== undefined
  return (has('code_insee') || has('commune')) && (has('type') || has('libelle')) ? columns : null
}

type Cell = (name: ColumnName) => string

function communeIn(cell: Cell): Pick<ReadRow, 'code_insee' | 'commune'> {
  const code = cell('code_insee').toUpperCase()
  // A spreadsheet that takes codes for numbers drops the zero in front.
  return { code_insee: code === '' ? null : code.padStart(5, '0'), commune: cell('commune') || null }
}

function collecteIn(cell: Cell, today: string): Pick<ReadRow, 'collecte' | 'problems'> {
  const problems: ReadRow['problems'] = []
  const read = <T>(value: T | null, field: ColumnName, code: ProblemCode, instead: T): T => {
    if (value === null) problems.push({ field, code })
    return value ?? instead
  }
  const start = cell('a_partir_du')
  const given = {
    jours: read(joursIn(cell('jours')), 'jours', 'unknown_day', []),
    rhythm: read(rhythmOf(cell('semaines')), 'semaines', 'unknown_rhythm', {
      every: 1,
      rang: null,
      parity: null,
    }),
    a_partir_du: start === '' ? null : read(dateOf(start), 'a_partir_du', 'unknown_date', today),
    dates: read(datesIn(cell('dates')), 'dates', 'unknown_date', []),
  }
  const name = cell('libelle') || cell('type')
  const collecte = {
    type_dechet: cell('type') === '' ? kindOfName(name) : kindOf(cell('type')),
    libelle: name.charAt(0).toUpperCase() + name.slice(1),
    secteur: cell('secteur') || null,
    mode: read(modeOf(cell('mode')), 'mode', 'unknown_mode', 'porte_a_porte'),
    ...scheduleOf(given, today),
    exceptions: read(exceptionsIn(cell('exceptions')), 'exceptions', 'unknown_date', []),
    consignes: cell('consignes') || null,
  }
  return { collecte, problems }
}

type Given = {
  jours: NonNullable<ReturnType<typeof joursIn>>
  rhythm: NonNullable<ReturnType<typeof rhythmOf>>
  a_partir_du: string | null
  dates: string[]
}

function scheduleOf({ jours, rhythm: { every, rang, parity }, a_partir_du, dates }: Given, today: string) {
  const counted = { jours, toutes_les_semaines: every, rang, a_partir_du, dates }
  if (parity === null || jours.length === 0)
    return { ...counted, toutes_les_semaines: jours.length === 0 ? 1 : every }
  const weeks = inWeeksOf(parity, jours, a_partir_du ?? today)
  const all = [...new Set([...dates, ...weeks.dates])].sort()
  return { ...counted, a_partir_du: weeks.a_partir_du, dates: all }
}

function modeOf(text: string): 'porte_a_porte' | 'apport_volontaire' | null {
  const mode = fold(text)
  if (mode === '' || mode === 'porte a porte') return 'porte_a_porte'
  return /^apport( volontaire)?$/.test(mode) ? 'apport_volontaire' : null
}
