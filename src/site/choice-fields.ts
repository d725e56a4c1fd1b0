import { alertesLevels, type Choice, isSomething } from '../modules/subscribers/choices.ts'
import { invalid } from '../platform/errors.ts'
import type { Field, Values } from './forms.ts'
import { t } from './text.ts'

/** The fields by which a resident chooses messages about a commune, and how they are read. */

/**
 * `nom`: named in the labels where several communes stand on one page. `secteurs`: undefined without collections.
 * `byAddress`: the address is asked in place of the secteur.
 */
export type Shown = {
  suffix: string
  nom: string | null
  secteurs: string[] | undefined
  byAddress?: boolean
}

/** The fields of a commune. */
export function choiceFields({ suffix, nom, secteurs, byAddress }: Shown): Field[] {
  const words = t.abonnement
  const label = (alone: string, of: (nom: string) => string) => (nom === null ? alone : of(nom))
  const yesOrNo = [
    { value: 'oui', label: words.weekly },
    { value: 'non', label: words.never },
  ]
  return [
    {
      ...{ name: `alertes${suffix}`, label: label(words.alertes, words.alertesOf), isRequired: true },
      kind: alertesLevels.map((value) => ({ value, label: words.levels[value] })),
    },
    ...(secteurs === undefined
      ? []
      : [
          {
            ...{
              name: `collectes${suffix}`,
              label: label(words.collectes, words.collectesOf),
              isRequired: true,
            },
            kind: [
              { value: 'non', label: words.never },
              ...hours.map((hour) => ({ value: `${hour}`, label: words.hour(hour) })),
            ],
          },
        ]),
    ...(secteurs === undefined || secteurs.length === 0
      ? []
      : [
          byAddress
            ? addressField
            : {
                ...{ name: `secteur${suffix}`, label: label(words.secteur, words.secteurOf) },
                kind: [
                  { value: '', label: words.everywhere },
                  ...secteurs.map((secteur) => ({ value: secteur, label: secteur })),
                ],
              },
        ]),
    {
      ...{
        name: `actualites${suffix}`,
        label: label(words.actualites, words.actualitesOf),
        isRequired: true,
      },
      kind: yesOrNo,
    },
  ]
}

const addressField: Field = {
  ...{ name: 'adresse', label: t.abonnement.address, hint: t.abonnement.addressHint, kind: 'text' },
  ...{ maxLength: 200, autocomplete: 'street-address' },
}

const hours = [12, 17, 18, 19, 20, 21] as const

/** What the fields show of a choice. */
export const valuesOf = (choice: Choice, suffix: string): Values => ({
  [`alertes${suffix}`]: choice.alertes,
  [`collectes${suffix}`]: choice.collectes_hour === null ? 'non' : `${choice.collectes_hour}`,
  [`secteur${suffix}`]: choice.collectes_secteur ?? '',
  [`actualites${suffix}`]: choice.actualites ? 'oui' : 'non',
})

/** Reads a choice. What the form did not show stays as it was. */
export function readChoice(values: Values, { suffix, secteurs }: Shown, before: Choice): Choice {
  const level = values[`alertes${suffix}`] ?? 'none'
  if (!isLevel(level)) throw invalid(`alertes${suffix}`, messages.level)
  const asked = values[`collectes${suffix}`]
  const hour = hours.find((one) => `${one}` === asked) ?? null
  if (asked !== undefined && asked !== 'non' && hour === null)
    throw invalid(`collectes${suffix}`, messages.level)
  const secteur = values[`secteur${suffix}`] ?? null
  if (secteur !== null && !secteurs?.includes(secteur)) throw invalid(`secteur${suffix}`, messages.level)
  const choice = {
    alertes: level,
    ...(asked === undefined
      ? { collectes_hour: before.collectes_hour, collectes_secteur: before.collectes_secteur }
      : { collectes_hour: hour, collectes_secteur: hour === null ? null : secteur }),
    actualites: values[`actualites${suffix}`] === 'oui',
  }
  if (!isSomething(choice)) throw invalid(`alertes${suffix}`, messages.nothing)
  return choice
}

const isLevel = (text: string): text is Choice['alertes'] =>
  (alertesLevels as readonly string[]).includes(text)
export const nothing: Choice = {
  alertes: 'none',
  collectes_hour: null,
  collectes_secteur: null,
  actualites: false,
}

const messages = {
  level: { en: 'is not one of the choices', fr: 'n’est pas l’un des choix' },
  nothing: { en: 'choose something, or leave', fr: t.abonnement.nothing },
}
