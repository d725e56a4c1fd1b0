import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import { Settings } from 'typebox/system'
import { notFound, type Problem, type Text, validationFailed } from '../../errors.ts'
import { optionalBodyMark } from './schemas.ts'

// Enough to correct a form in one pass without listing a thousand errors.
const shownProblems = 20
// A fault can be reported twice: for the value and for the object or list that contains it.
Settings.Set({ maxErrors: 2 * shownProblems })

/**
 * Validates bodies without coercion; query and path values are parsed from text. A path that does not match is a 404
 * like any unknown record. Compiles a schema at its first use, because compiling all of them delays the start.
 */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const read = httpPart === 'body' ? (given: unknown) => given : reader(schema)
  const lower = (httpPart === 'body' && idLowering(schema)) || ((value: unknown) => value)
  const mayBeAbsent = optionalBodyMark in schema
  return (given) => {
    // Fastify passes null when there is no body.
    if (mayBeAbsent && (given ?? undefined) === undefined) return { value: undefined }
    const value = read(given)
    const compiled = compiledOnce(schema)
    if (compiled.Check(value)) return { value: lower(value) }
    if (httpPart === 'params') return { error: notFound() }
    const [, faults] = compiled.Errors(value)
    return { error: validationFailed(problems(faults)) }
  }
}

/** Compiles each schema once: several routes share one, and several servers of a process share routes. */
function compiledOnce(schema: TSchema) {
  const compiled = known.get(schema) ?? Compile(schema)
  known.set(schema, compiled)
  return compiled
}

const known = new WeakMap<TSchema, ReturnType<typeof Compile>>()

type Part = { type?: string; format?: string; items?: Part }

/**
 * Returns only the declared properties, so that a handler never sees unchecked input; the rest is dropped, or refused
 * by a closed schema. Text becomes a number, a boolean or a list where the schema asks for one; ids become lower case.
 */
function reader(schema: TSchema) {
  const { properties = {}, additionalProperties } = schema as {
    properties?: Record<string, Part>
    additionalProperties?: boolean
  }
  const readers = Object.entries(properties).map(([name, part]) => [name, valueReader(part)] as const)
  return (given: unknown) => {
    const values: Record<string, unknown> = additionalProperties === false ? { ...(given as object) } : {}
    for (const [name, read] of readers) {
      const value = (given as Record<string, unknown>)[name]
      if (value !== undefined) values[name] = read(value)
    }
    return values
  }
}

/** Splits a parameter with several values at commas; a repeated parameter is read the same way. */
function valueReader(part: Part): (value: unknown) => unknown {
  if (part.type !== 'array') {
    const read = readerOf(part)
    return (value) => (typeof value === 'string' ? read(value) : value)
  }
  const read = readerOf(part.items ?? {})
  return (value) => [value].flat().flatMap((text) => String(text).split(',').map(read))
}

function readerOf({ type = '', format }: Part): (text: string) => unknown {
  return byType[type] ?? (format === 'uuid' ? readId : asItIs)
}

/** Lowercases every id in a body; null when the schema has none. */
function idLowering(schema: TSchema): ((value: unknown) => unknown) | null {
  const { format, items, properties } = schema as { format?: string; items?: TSchema; properties?: object }
  if (format === 'uuid') return (value) => (typeof value === 'string' ? readId(value) : value)
  if (items !== undefined) {
    const lower = idLowering(items)
    return lower && ((value) => (Array.isArray(value) ? value.map(lower) : value))
  }
  const lowerings = Object.entries(properties ?? {}).flatMap(([name, property]) => {
    const lower = idLowering(property)
    return lower === null ? [] : [[name, lower] as const]
  })
  if (lowerings.length === 0) return null
  return (value) => {
    if (value === null) return null
    const record = value as Record<string, unknown>
    const given = lowerings.filter(([name]) => record[name] !== undefined)
    return { ...record, ...Object.fromEntries(given.map(([name, lower]) => [name, lower(record[name])])) }
  }
}

const readNumber = (text: string) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text)
const readId = (text: string) => text.toLowerCase()
const asItIs = (text: string) => text
const byType: Record<string, (text: string) => unknown> = {
  integer: readNumber,
  number: readNumber,
  boolean: (text) => ({ true: true, false: false })[text] ?? text,
}

type Fault = { keyword: string; instancePath: string; params: object }

function problems(faults: Fault[]): Problem[] {
  // The message about the format says more than the one about the pattern.
  const misformed = new Set(
    faults.filter(({ keyword }) => keyword === 'format').map((fault) => fault.instancePath),
  )
  const told = faults.filter((fault) => fault.keyword !== 'pattern' || !misformed.has(fault.instancePath))
  return told.flatMap(explain).slice(0, shownProblems)
}

function explain({ keyword, instancePath, params }: Fault): Problem[] {
  // The neighbouring errors already report it.
  if (keyword === 'anyOf' || keyword === 'additionalProperties') return []
  const path = instancePath.slice(1).split('/').map(unescapePointer).filter(Boolean)
  const at = (...more: string[]) => [...path, ...more].join('.')
  const names = (list: unknown) => (Array.isArray(list) ? list.map(String) : [])
  if ('requiredProperties' in params) {
    return names(params.requiredProperties).map((name) => ({ field: at(name), message: messages.required }))
  }
  // An unknown property is validated against the schema `false`.
  if (keyword === 'boolean') return [{ field: at(), message: messages.unknown }]
  return [{ field: at(), message: messageFor(keyword, params as Record<string, unknown>) }]
}

const unescapePointer = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~')

const messages = {
  required: { en: 'is required', fr: 'est obligatoire' },
  empty: { en: 'must not be empty', fr: 'ne doit pas être vide' },
  unknown: { en: 'is not a known field', fr: 'n’est pas un champ connu' },
  invalid: { en: 'is not valid', fr: 'n’est pas valide' },
} satisfies Record<string, Text>

function messageFor(keyword: string, params: Record<string, unknown>): Text {
  const { limit, format, type, allowedValues } = params
  switch (keyword) {
    case 'type':
      return {
        en: `must be of type ${choices(type, 'or')}`,
        fr: `doit être ${choices([type].flat().map(inFrench), 'ou')}`,
      }
    case 'enum':
      return {
        en: `must be one of ${choices(allowedValues, 'or')}`,
        fr: `doit valoir ${choices(allowedValues, 'ou')}`,
      }
    case 'format':
      return {
        en: `must be a valid ${format}`,
        fr: `doit être ${frenchFormats[String(format)] ?? `au format ${format}`}`,
      }
    case 'minLength':
      if (limit === 1) return messages.empty
      return sized('least', limit, characters)
    case 'maxLength':
      return sized('most', limit, characters)
    case 'minimum':
      return { en: `must be at least ${limit}`, fr: `doit valoir au moins ${limit}` }
    case 'maximum':
      return { en: `must be at most ${limit}`, fr: `doit valoir au plus ${limit}` }
    case 'minItems':
      return sized('least', limit, items)
    case 'maxItems':
      return sized('most', limit, items)
    default:
      return messages.invalid
  }
}

const characters = { en: 'character', fr: 'caractère' }
const items = { en: 'item', fr: 'élément' }

/** In French the plural begins at two, in English also at zero. */
function sized(end: 'least' | 'most', limit: unknown, unit: Text): Text {
  const count = Number(limit)
  return {
    en: `must have at ${end} ${count} ${unit.en}${count === 1 ? '' : 's'}`,
    fr: `doit avoir au ${end === 'least' ? 'moins' : 'plus'} ${count} ${unit.fr}${count < 2 ? '' : 's'}`,
  }
}

/** Lists values as in `red, blue or null`. */
function choices(values: unknown, or: string): string {
  const words = [values].flat().map(String)
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(` ${or} `)
}

/** Names of the types of JSON Schema. */
const frenchTypes: Record<string, string> = {
  string: 'un texte',
  integer: 'un nombre entier',
  number: 'un nombre',
  boolean: 'vrai ou faux (true ou false)',
  array: 'une liste',
  object: 'un objet',
}

/** Names of the formats that schemas use. */
const frenchFormats: Record<string, string> = {
  date: 'une date, comme 2026-11-20',
  'date-time': 'une date et heure, comme 2026-11-20T08:30:00Z',
  uuid: 'un identifiant (UUID)',
  url: 'une adresse web',
}

const inFrench = (type: unknown) => frenchTypes[String(type)] ?? String(type)
