import { useLocale } from 'use-intl'
import {
  communeFields,
  type Field,
  type FieldName,
  namesOf,
  type TypedName,
  typedKinds,
} from '../../../../src/modules/communes/fields.ts'
import { numberOf } from '../../shell/editing/number-of.ts'

/** The fields of a commune that a form types, in their order. */
export const typedNames = namesOf(...typedKinds)

/** Returns the label and the help of a field. */
export function useFieldTexts(): (name: FieldName) => { label: string; help?: string } {
  const language = useLocale() === 'en' ? 'en' : 'fr'
  return (name) => {
    const { label, help }: Field = communeFields[name]
    return { label: label[language], ...(help && { help: help[language] }) }
  }
}

export const isRequired = (name: TypedName) => (communeFields[name] as Field).required === true

type Value = string | string[] | number | null
/** As typed; an empty text stands for null. */
export const typedFields = (commune: Record<TypedName, Value>) =>
  eachTyped((name) => [commune[name] ?? []].flat().join(', '))

/** Reads typed fields in the format of the API. */
export const sentFields = (typed: Record<TypedName, string>) =>
  eachTyped((name) => sent[communeFields[name].kind](typed[name]))

const eachTyped = <Result>(read: (name: TypedName) => Result) =>
  Object.fromEntries(typedNames.map((name) => [name, read(name)])) as Record<TypedName, Result>

export const codesOf = (typed: string) => typed.split(/[\s,;]+/).filter(Boolean)

const plain = (typed: string) => typed.trim()
const sent = { line: plain, code: plain, codes: codesOf, count: numberOf, degrees: numberOf }
