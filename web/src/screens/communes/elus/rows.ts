import type { Elu } from '../queries.ts'

export const nameOf = ({ prenom, nom }: Pick<Elu, 'prenom' | 'nom'>) => `${prenom} ${nom}`.trim()

/** A line for each élu, to compare two versions of the list. */
export const linesOf = (elus: readonly Elu[]) =>
  elus.map((elu, index) => `${index + 1}. ${nameOf(elu)}, ${elu.fonction}`).join('\n')

/** The portrait of an élu that is edited is the id of a picture. */
type Row = Omit<Elu, 'id' | 'ordre' | 'photo'> & {
  id?: string
  ordre?: number
  photo: Elu['photo'] | string
}

/** Élus as the service takes them: their place in the list is their order. */
export const bodyOf = (elus: readonly Row[]) =>
  elus.map(({ ordre: _, photo, ...elu }) => ({
    ...elu,
    photo: typeof photo === 'string' ? photo : (photo?.id ?? null),
  }))
