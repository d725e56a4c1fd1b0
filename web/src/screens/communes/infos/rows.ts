import type { EditedCommune } from '../editing.ts'
import type { Info } from '../queries.ts'

export const contactKeys = ['adresse', 'telephone', 'email', 'site_web'] as const
export type ContactKey = (typeof contactKeys)[number]
/** A row of the form; without `id`, it is new. */
export type Row = Pick<Info, 'cle' | 'libelle' | 'valeur'> & { id?: string }

export const rowsOf = ({ commune_infos }: Pick<EditedCommune, 'commune_infos'>): Row[] =>
  commune_infos.map(({ id, cle, libelle, valeur }) => ({ id, cle, libelle, valeur }))

/** Returns the row that the public can see for a field of the contact: the first one that is not blank. */
export const rowOf = (rows: readonly Row[], key: ContactKey): Row | undefined =>
  rows.find(({ cle, valeur }) => cle === key && valeur.trim() !== '') ?? rows.find(({ cle }) => cle === key)

export function withContact(rows: readonly Row[], key: ContactKey, libelle: string, valeur: string): Row[] {
  const row = rowOf(rows, key)
  if (row === undefined) return [...rows, { cle: key, libelle, valeur }]
  // A new row that is emptied again was never there.
  if (valeur === '' && row.id === undefined) return rows.filter((one) => one !== row)
  return rows.map((one) => (one === row ? { ...one, valeur } : one))
}

/** Rows as the service takes them. Blank rows are dropped: the public would not see them. */
export const bodyOf = (rows: readonly Row[]) =>
  rows
    .filter(({ valeur }) => valeur.trim() !== '')
    .map(({ id, cle, libelle, valeur }) => ({
      ...(id !== undefined && { id }),
      cle,
      libelle: libelle.trim(),
      valeur,
    }))

/** A new row under a key that no other row has. */
export function emptyRow(rows: readonly Row[]): Row {
  const taken = new Set(rows.map(({ cle }) => cle))
  let number = 1
  while (taken.has(`info_${number}`)) number++
  return { cle: `info_${number}`, libelle: '', valeur: '' }
}
