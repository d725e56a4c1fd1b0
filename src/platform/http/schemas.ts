import Type, { type Static, type TSchema, type TUnsafe } from 'typebox'

/** The pieces that the schemas of every module are made of. */

export const Id = (description = 'Identifier') =>
  Type.String({ format: 'uuid', description, examples: ['0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'] })

/** In a path, of a record that has both: `isUuid` tells which it is. */
export const IdOrSlug = (description: string, example: string) =>
  Type.String({
    pattern: '^(?:[a-z0-9-]{1,200}|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$',
    description,
    examples: [example],
  })

// PostgreSQL stores neither NUL nor half a character.
const storable = '(?:[^\\u0000\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])*'

type TextOptions = { minLength?: number; description?: string; examples?: string[] }

/** Text that can be kept as it is: what cannot is refused here, where the answer can say which field. */
export const text = (maxLength: number, options: TextOptions = {}) =>
  Type.String({ maxLength, pattern: `^${storable}$`, ...options })

/** Text with something to read in it, beside blanks. */
export const filledText = (maxLength: number, options: TextOptions = {}) =>
  Type.String({ minLength: 1, maxLength, pattern: `^(?:(?=\\s*\\S)${storable})?$`, ...options })

// No line break of any kind, and nothing else that steers a screen instead of being read.
const inLine =
  '(?:[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])*'

/** Text of one line: a name, a title, a telephone. */
export const line = (maxLength: number, options: TextOptions = {}) =>
  Type.String({ maxLength, pattern: `^${inLine}$`, ...options })

/** The same, with something to read in it. */
export const filledLine = (maxLength: number, options: TextOptions = {}) =>
  Type.String({ minLength: 1, maxLength, pattern: `^(?:(?=\\s*\\S)${inLine})?$`, ...options })

/** An address of the web: http or https, without a password, and nothing in it that no address holds. */
export const WebUrl = (example: string, description?: string) =>
  Type.String({
    format: 'url',
    pattern: '^https?://(?![^/?#]*@)[^\\s<>"`\\\\\\u0000\\ud800-\\udfff]+$',
    maxLength: 500,
    ...(description && { description }),
    examples: [example],
  })

// There is no year 0 in PostgreSQL.
const realYear = '^(?!0000)'
// A leap second has its place in RFC 3339, but none in JavaScript; and no zone leads out of the years that have four digits.
const realMoment = `${realYear}(?!.{17}60)(?!9999-12-31.*-)(?!0001-01-01.*\\+)`

export const Timestamp = (description?: string) =>
  Type.String({
    format: 'date-time',
    pattern: realMoment,
    ...(description && { description }),
    examples: ['2026-11-20T08:30:00.000Z'],
  })

/** The same in an answer: what the database tells the time by, written out with the rest. */
export const AnsweredTimestamp = (description?: string) => Type.Unsafe<Date>(Timestamp(description))

/** Beside the address of a user, wherever that is shown. */
export const EmailVerified = Type.Boolean({
  description: 'Whether the identity provider says that the address is theirs',
  examples: [true],
})

export const DateOnly = (description?: string) =>
  Type.String({
    format: 'date',
    pattern: realYear,
    ...(description && { description }),
    examples: ['2026-11-20'],
  })

export function nullable<T extends TSchema>(schema: T): TUnsafe<Static<T> | null> {
  const { type, enum: values } = schema as { type?: string; enum?: unknown[] }
  return Type.Unsafe<Static<T> | null>({
    ...schema,
    ...(type !== undefined && { type: [type, 'null'] }),
    ...(values !== undefined && { enum: [...values, null] }),
  })
}

/** One of some words. A plain enum: clients then get a union of literals. */
export function oneOf<const T extends string>(values: readonly T[], description?: string) {
  return Type.Unsafe<T>({
    type: 'string',
    enum: values,
    ...(description && { description }),
    examples: [values[0]],
  })
}

export const record = <T extends TSchema>(record: T) => Type.Object({ data: record })
export const list = <T extends TSchema>(record: T) => Type.Object({ data: Type.Array(record) })

export const optionalBodyMark = 'x-optional-body'

/** A body that may be absent. `null` is not absence. */
export const optionalBody = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | undefined>({ ...schema, [optionalBodyMark]: true })

/** What a writing route that names no body takes: none, or one that says nothing. */
export const noBody = optionalBody(Type.Object({}, { additionalProperties: false }))
