import { findByAddress } from '../modules/communes/secteurs/by-address.ts'
import { alertesLevels, type Choice, isSomething } from '../modules/subscribers/choices.ts'
import type { Database } from '../platform/database/connect.ts'
import { invalid } from '../platform/errors.ts'
import { hasWord } from '../platform/formats/text.ts'
import type { Field, Values } from './forms.ts'
import { t } from './text.ts'

/** The fields by which a resident chooses messages about a commune or a group, and how they are read. */

/**
 * `nom`: named in the labels where several places stand on one page. `secteurs`: undefined without collections.
 * `byAddress`: the address is asked in place of the secteur, or beside it to change it.
 */
export type Shown = {
  suffix: string
  nom: string | null
  secteurs: string[] | undefined
  byAddress?: 'alone' | 'beside' | null
}

/** The fields of a commune, or of a group, which has no collections. */
export function choiceFields({ suffix, nom, secteurs, byAddress = null }: Shown): Field[] {
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
      : placeFields({ suffix, nom, secteurs, byAddress })),
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

const hours = [12, 17, 18, 19, 20, 21] as const

/** The secteur, or an address that names it. */
function placeFields({
  suffix,
  nom,
  secteurs,
  byAddress,
}: Required<Shown> & { secteurs: string[] }): Field[] {
  const words = t.abonnement
  const bySecteur: Field = {
    name: `secteur${suffix}`,
    label: nom === null ? words.secteur : words.secteurOf(nom),
    kind: [
      { value: '', label: words.everywhere },
      ...secteurs.map((secteur) => ({ value: secteur, label: secteur })),
    ],
  }
  if (byAddress === null) return [bySecteur]
  const isAlone = byAddress === 'alone'
  const address: Field = {
    name: `adresse${suffix}`,
    label: nom === null ? words.address : words.addressOf(nom),
    hint: isAlone ? words.addressHint : words.addressChanges,
    kind: 'text',
    maxLength: 200,
    autocomplete: 'address-line1',
  }
  return isAlone ? [address] : [bySecteur, address]
}

/** What the fields show of a choice. */
export const valuesOf = (choice: Choice, suffix: string): Values => ({
  [`alertes${suffix}`]: choice.alertes,
  [`collectes${suffix}`]: choice.collectes_hour === null ? 'non' : `${choice.collectes_hour}`,
  [`secteur${suffix}`]: choice.collectes_secteur ?? '',
  [`actualites${suffix}`]: choice.actualites ? 'oui' : 'non',
})

/** Reads a choice in which an address may stand for its secteur; the address is not kept. */
export async function readChoiceByAddress(
  reads: Database,
  values: Values,
  shown: Shown & { communeId: string },
  before: Choice,
): Promise<Choice> {
  const { suffix, communeId, byAddress } = shown
  const name = `adresse${suffix}`
  const adresse = values[name] ?? ''
  // Without reminders of collections the secteur does not matter.
  if (!byAddress || !hasWord(adresse) || values[`collectes${suffix}`] === 'non')
    return readChoice(values, shown, before)
  const { secteurs, suggestions } = await findByAddress(reads, communeId, adresse)
  const [only, ...others] = secteurs
  if (only === undefined) throw invalid(name, messages.unknown(suggestions.slice(0, 3).join(', ')))
  if (others.length > 0) throw invalid(name, messages.several(secteurs.join(', ')))
  return readChoice({ ...values, [`secteur${suffix}`]: only }, shown, before)
}

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
  unknown: (suggestions: string) => ({
    en: 'is in no secteur that is known',
    fr: t.abonnement.addressUnknown(suggestions),
  }),
  several: (secteurs: string) => ({
    en: 'is in several secteurs: add the number',
    fr: t.abonnement.addressSeveral(secteurs),
  }),
  nothing: { en: 'choose something, or leave', fr: t.abonnement.nothing },
}
