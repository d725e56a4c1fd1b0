import { fc } from '../fast-check.ts'

/** A schema of the OpenAPI document with its references resolved. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: Schema
  minItems?: number
  maxItems?: number
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  examples?: unknown[]
}

/** Stands for an id of a record of that kind, resolved when the request is sent. */
export const idMark = (name: string, number: number) => `{id of ${name} ${number}}`
export const idMarks = /\{id of (\w+) (\d+)\}/g

/** Values that match the schema; `name` is the field they are for. */
export function fitting(schema: Schema, name = '', follow = (one: Schema) => one): fc.Arbitrary<unknown> {
  const { type, enum: words, anyOf, oneOf, allOf, ...rest } = follow(schema)
  const again = (one: Schema, field = name) => fitting(one, field, follow)
  if (rest.const !== undefined) return fc.constant(rest.const)
  if (words !== undefined) return fc.constantFrom(...words)
  const choices = anyOf ?? oneOf
  if (choices !== undefined) return fc.oneof(...choices.map((one) => again(one)))
  if (allOf !== undefined) {
    const parts = fc.tuple(...allOf.map((one) => again(one)))
    return parts.map((all) => Object.assign({}, ...all))
  }
  const kinds = [type ?? (rest.properties ? 'object' : 'string')].flat()
  return fc.oneof(...kinds.map((kind) => ofKind(kind, rest, name, again)))
}

type Again = (schema: Schema, name?: string) => fc.Arbitrary<unknown>

function ofKind(kind: string, schema: Schema, name: string, again: Again): fc.Arbitrary<unknown> {
  const { minimum: min, maximum: max } = schema
  switch (kind) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer': {
      const bounds = { min: min ?? -(2 ** 31), max: max ?? 2 ** 31 }
      return fc.oneof(fc.integer(bounds), fc.constantFrom(bounds.min, bounds.max, Math.max(1, bounds.min)))
    }
    case 'number':
      return fc.double({ min: min ?? -1e9, max: max ?? 1e9, noNaN: true })
    case 'array': {
      const { items = {}, minItems: minLength = 0, maxItems = 5 } = schema
      const values = fc.array(again(items), {
        minLength,
        maxLength: Math.max(minLength, Math.min(maxItems, 5)),
      })
      return values.map((all) => [...new Map(all.map((one) => [JSON.stringify(one), one])).values()])
    }
    case 'object': {
      const { properties = {}, required = [] } = schema
      const parts = Object.entries(properties).map(([key, one]) => [key, again(one, key)] as const)
      return fc.record(Object.fromEntries(parts), { requiredKeys: required as never[] })
    }
    default:
      return strings(schema, name)
  }
}

function strings(schema: Schema, name: string): fc.Arbitrary<string> {
  const { format, pattern = '', minLength = 0, maxLength = 200, examples = [] } = schema
  if (format === 'uuid') return fc.nat(10_000).map((number) => idMark(name || 'any', number))
  if (format === 'date') return moments.map((at) => at.toISOString().slice(0, 10))
  if (format === 'date-time') return moments.map((at) => at.toISOString())
  if (format === 'url') return fc.webPath().map((path) => `https://fuzz.invalid${path}`.slice(0, maxLength))
  const shown = examples.filter((one): one is string => typeof one === 'string')
  if (pattern.includes('[0-9A-Fa-f]{8}'))
    return fc.oneof(
      fc.nat(10_000).map((number) => idMark(name, number)),
      fc.constantFrom('beynost', ...shown),
    )
  if (pattern !== '' && !pattern.includes('(?')) return fc.stringMatching(new RegExp(pattern))
  const taken = new RegExp(pattern, 'u')
  const long = Math.max(minLength, Math.min(maxLength, 60))
  return fc
    .oneof(
      fc.string({ unit: 'grapheme', minLength, maxLength: long }),
      fc.constantFrom(...strange, ...shown),
      fc.constant('é'.repeat(maxLength)),
    )
    .map((text) => text.slice(0, maxLength).padEnd(minLength, 'a'))
    .map((text) => (taken.test(text) ? text : 'a'.repeat(Math.max(1, minLength))))
}

// Past and future moments within four-digit years.
const moments = fc.oneof(
  fc.date({ min: new Date('2026-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
  fc.date({ min: new Date('0002-01-01'), max: new Date('9998-12-31'), noInvalidDate: true }),
)

/** Values that have broken searches, sorts, storage and pages before. */
const strange = [
  '__proto__',
  'constructor',
  "' or 1=1; --",
  '%',
  '_',
  '\\',
  '"',
  ':* & | !',
  '<->',
  '₂₀',
  'K',
  'İ',
  'ﬃ',
  'ß',
  '\u202e',
  '\ufeff',
  '\u00a0',
  '🎺',
  'e\u0301',
  '<script>alert(1)</script>',
  '<a href="javascript:alert(1)">x</a>',
  '&#0;',
  '../../etc/passwd',
  'https://fuzz.invalid/a?utm_source=b',
  '1e999',
  'NaN',
  'null',
  '-0',
]

/** The same values with one fault or oddity. */
export const nearly = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(values, fc.nat(), fc.constantFrom(...misfits)).map(([value, at, misfit]) => {
    const copy = structuredClone(value)
    const places = placesOf(copy)
    const place = places[at % Math.max(1, places.length)]
    if (place === undefined) return wrongWhole(misfit)
    if (misfit === absent) delete (place.holder as Record<string, unknown>)[place.key]
    else if (misfit === extra) Object.assign(place.holder, { 'no such field': 1 })
    else Object.assign(place.holder, { [place.key]: misfit })
    return copy
  })

const wrongWhole = (misfit: unknown) =>
  misfit === absent ? undefined : misfit === extra ? { 'no such field': 1 } : misfit

const absent = Symbol('absent')
const extra = Symbol('extra')
const misfits = [
  absent,
  extra,
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  '',
  ' ',
  '12',
  'a\u0000b',
  '\ud800',
  'é'.repeat(25_000),
  '0000-00-00',
  '2026-02-30',
  '9999-12-31T23:59:60Z',
  '00000000-0000-0000-0000-000000000000',
  [],
  {},
  [null],
]

type Place = { holder: object; key: string }
function placesOf(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => [{ holder: value, key }, ...placesOf(one)])
}
