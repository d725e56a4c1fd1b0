import type { Collecte, PreviewBody } from '../queries.ts'

export const days = ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'] as const
/** Which of these weekdays in the month; -1: the last. */
export const rangs = [1, 2, 3, 4, -1] as const
export type ScheduleFields = Omit<
  Collecte,
  'id' | 'prochaines' | 'passages' | 'secteur' | 'consignes' | 'a_partir_du'
> & {
  secteur: string
  consignes: string
  a_partir_du: string
}

export const typedOf = (collecte: Collecte | null): ScheduleFields => ({
  type_dechet: collecte?.type_dechet ?? '',
  libelle: collecte?.libelle ?? '',
  secteur: collecte?.secteur ?? '',
  mode: collecte?.mode ?? 'porte_a_porte',
  jours: collecte?.jours ?? [],
  toutes_les_semaines: collecte?.toutes_les_semaines ?? 1,
  rang: collecte?.rang ?? null,
  a_partir_du: collecte?.a_partir_du ?? '',
  dates: collecte?.dates ?? [],
  exceptions: collecte?.exceptions ?? [],
  consignes: collecte?.consignes ?? '',
})

export const fieldsOf = (typed: ScheduleFields) => ({
  ...typed,
  type_dechet: typed.type_dechet.trim(),
  libelle: typed.libelle.trim(),
  secteur: typed.secteur.trim() || null,
  consignes: typed.consignes.trim() || null,
  a_partir_du: typed.a_partir_du || null,
})

/** A stored collecte as the service takes it, without what it computes. */
export function bodyOf({ prochaines: _, passages: __, ...collecte }: Collecte) {
  return collecte
}

/** Fields that decide the dates: the preview does not wait for a name. */
export const previewOf = (typed: ScheduleFields): PreviewBody => ({
  jours: typed.jours,
  toutes_les_semaines: typed.toutes_les_semaines,
  rang: typed.rang,
  a_partir_du: typed.a_partir_du || null,
  dates: typed.dates,
  exceptions: typed.exceptions,
})

/** Once a month there is one weekday, and no week is counted. */
export const everyMonth = ({ jours: [day = 'lundi'] }: Pick<ScheduleFields, 'jours'>) =>
  ({ jours: [day], toutes_les_semaines: 1, rang: 1 }) satisfies Partial<ScheduleFields>

type Exceptions = Pick<ScheduleFields, 'exceptions'>

/** Moves the collection of a day, or drops it. */
export const withException = (
  { exceptions }: Exceptions,
  date: string,
  reportee_au: string | null,
): Exceptions => ({
  exceptions: [...withoutException({ exceptions }, date).exceptions, { date, reportee_au }].sort(
    (one, other) => (one.date < other.date ? -1 : 1),
  ),
})
export const withoutException = ({ exceptions }: Exceptions, date: string): Exceptions => ({
  exceptions: exceptions.filter((exception) => exception.date !== date),
})
export const withDate = ({ dates }: Pick<ScheduleFields, 'dates'>, date: string) => ({
  dates: [...dates.filter((one) => one !== date), date].sort(),
})
