import { StartError } from '../../platform/config/start-error.ts'
import { clip, oneLine } from '../../platform/formats/text.ts'
import { type CommuneCodes, quoteCode } from '../codes.ts'
import { type CsvRow, findColumns } from '../csv.ts'

/** A function of one person, as in the file. */
export type Mandate = { nom: string; prenom: string; fonction: string; mandat_debut: string | null }
export type EluRow =
  | { kind: 'mandate'; communeId: string; mandate: Mandate }
  | { kind: 'refused'; communeId: string | null; reason: string }

// All other columns of an RNE file, above all the birth date, are never read.
const columnNames = {
  code: 'Code de la commune',
  nom: "Nom de l'élu",
  prenom: "Prénom de l'élu",
  mandat: 'Date de début du mandat',
  fonction: 'Libellé de la fonction',
  depuis: 'Date de début de la fonction',
  sexe: 'Code sexe',
  secteur: 'Libellé du secteur',
}
type Columns = Record<keyof typeof columnNames, number>

/** Returns a reader for rows below this header. The file of maires has no column for the function: `onlyMaires`. */
export function eluReader(header: string[], codes: CommuneCodes) {
  const columns = findColumns(header, columnNames)
  const onlyMaires = columns.fonction < 0 && columns.depuis >= 0
  refuseOtherFiles(columns, onlyMaires)
  return { onlyMaires, read: (row: CsvRow) => readRow(row, columns, onlyMaires, codes) }
}

function refuseOtherFiles(columns: Columns, onlyMaires: boolean): void {
  const needed = ['code', 'nom', 'prenom', 'mandat', ...(onlyMaires ? [] : (['fonction'] as const))] as const
  const missing = needed.filter((key) => columns[key] < 0).map((key) => `"${columnNames[key]}"`)
  if (missing.length > 0)
    throw new StartError(
      `The file lacks the column ${missing.join(', ')}: it must be a CSV of the RNE, separated by ; and in UTF-8.`,
    )
  if (columns.secteur >= 0)
    throw new StartError('The file lists the councils of arrondissements: it must list those of communes.')
}

function readRow(row: CsvRow, columns: Columns, onlyMaires: boolean, codes: CommuneCodes): EluRow {
  const field = (key: keyof Columns) => oneLine(row.fields[columns[key]] ?? '')
  const code = paddedCode(field('code'))
  const owner = codes.get(code)
  const refused = (reason: string): EluRow => ({ kind: 'refused', communeId: owner?.id ?? null, reason })
  if (row.damage !== null) return refused(row.damage)
  if (code === '') return refused('the code of the commune is missing')
  if (owner === undefined) return refused(`no commune has ${quoteCode(code)}`)
  const [nom, prenom] = [field('nom'), field('prenom')]
  if (nom === '' || prenom === '') return refused(`a name is missing, in ${code}`)
  if (nom.length > 100 || prenom.length > 100) return refused(`a name is too long, in ${code}`)
  const mandat_debut = readDate(field('mandat'))
  if (mandat_debut === undefined) return refused(`"${columnNames.mandat}" is not a date, in ${code}`)
  const fonction = onlyMaires ? 'Maire' : clip(field('fonction'), 200) || conseiller(field('sexe'))
  return { kind: 'mandate', communeId: owner.id, mandate: { nom, prenom, fonction, mandat_debut } }
}

/** Restores the leading zero of the first nine départements, which some editions drop. */
function paddedCode(code: string): string {
  return /^\d{4}$/.test(code) ? `0${code}` : code.toUpperCase()
}

/** Returns the function of plain councillors, which the RNE leaves blank. */
function conseiller(sexe: string): string {
  return sexe === 'F' ? 'Conseillère municipale' : 'Conseiller municipal'
}

/** Parses dd/mm/yyyy or ISO, ignoring a time. Returns null if blank, undefined if invalid. */
function readDate(value: string): string | null | undefined {
  if (value === '') return null
  const french = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(value)
  const iso = french
    ? `${french[3]}-${french[2]}-${french[1]}`
    : /^\d{4}-\d{2}-\d{2}(?=$|[T ])/.exec(value)?.[0]
  if (iso === undefined || !/^(19|20)/.test(iso)) return undefined
  const day = new Date(`${iso}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(iso) ? iso : undefined
}
