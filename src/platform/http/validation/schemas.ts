import Type, { type Static, type TObjectOptions, type TProperties, type TSchema, type TUnsafe } from 'typebox'

/** Building blocks for the schemas of all modules. */

/** An object that generated clients know by its title. */
export const titled = <P extends TProperties>(title: string, properties: P, description?: string) =>
  Type.Object(properties, { title, ...(description && { description }) })

/** An object that accepts no other fields: the body of a write. */
export const strictObject = <P extends TProperties>(properties: P, options?: TObjectOptions) =>
  Type.Object(properties, { additionalProperties: false, ...options })

/** The body of an update: accepts any of the fields, and no others. */
export const strictPartial = <P extends TProperties>(properties: P, options?: TObjectOptions) =>
  Type.Partial(Type.Object(properties), { additionalProperties: false, ...options })

export const Id = (description = 'Identifier') =>
  Type.String({ format: 'uuid', description, examples: ['0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'] })

/** Path parameter of a record that has both an id and a slug; `isUuid` tells them apart. */
export const IdOrSlug = (description: string, example: string) =>
  Type.String({
    pattern: '^(?:[a-z0-9-]{1,200}|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$',
    description,
    examples: [example],
  })

// PostgreSQL stores neither NUL nor an unpaired surrogate.
const storable = '(?:[^\\u0000\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])*'

type TextOptions = { minLength?: number; description?: string; examples?: string[] }

/** Text that can be stored unchanged. Anything else is refused here, where the response can name the field. */
export const text = (maxLength: number, options: TextOptions = {}) =>
  Type.String({ maxLength, pattern: `^${storable}$`, ...options })

// A character that is no space, control or format character, as `isVisible` has it.
const hasVisible = '(?=[\\s\\S]*[^\\p{Z}\\p{C}])'

/** Text with at least one visible character. */
export const filledText = (maxLength: number, options: TextOptions = {}) =>
  Type.String({ minLength: 1, maxLength, pattern: `^(?:${hasVisible}${storable})?$`, ...options })

// No line breaks and no control characters.
const inLine =
  '(?:[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])*'

/** A single line of text: a name, a title, a telephone number. */
export const line = (maxLength: number, options: TextOptions = {}) =>
  Type.String({ maxLength, pattern: `^${inLine}$`, ...options })

/** A single line with at least one visible character. */
export const filledLine = (maxLength: number, options: TextOptions = {}) =>
  Type.String({ minLength: 1, maxLength, pattern: `^(?:${hasVisible}${inLine})?$`, ...options })

/**
 * HTTP or HTTPS URL without a password, and without characters that no URL contains, such as those that
 * change the reading direction.
 */
export const WebUrl = (example: string, description?: string) =>
  Type.String({
    format: 'url',
    pattern:
      '^https?://(?![^/?#]*@)[^\\s<>"`\\\\\\u0000\\u061c\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ud800-\\udfff]+$',
    maxLength: 500,
    ...(description && { description }),
    examples: [example],
  })

// PostgreSQL has no year 0.
const realYear = '^(?!0000)'
// RFC 3339 allows a leap second, JavaScript does not. Offsets must not lead out of four-digit years. PostgreSQL refuses
// offsets of 16 hours, long fractions, and the name of a time zone that the format allows at the end.
const realMoment = `${realYear}(?!.{17}60)(?!9999-12-31.*-)(?!0001-01-01.*\\+)[^.Zz+]+(\\.\\d{1,9})?([Zz]|[+-](0\\d|1[0-5]):[0-5]\\d)$`

export const Timestamp = (description?: string) =>
  Type.String({
    format: 'date-time',
    pattern: realMoment,
    ...(description && { description }),
    examples: ['2026-11-20T08:30:00.000Z'],
  })

/** A timestamp in a response: a `Date` from the database, which the serializer formats. */
export const ResponseTimestamp = (description?: string) => Type.Unsafe<Date>(Timestamp(description))

/** Flag shown beside the e-mail address of a user. */
export const EmailVerified = Type.Boolean({
  description: 'Whether the identity provider says that the address is theirs',
  examples: [true],
})

export const MailDelivery = oneOf(
  ['smtp', 'files'],
  '`files`: mails are written to `DATA_DIR/outbox` and are not sent',
)

export const MailsDelayed = Type.Boolean({
  description:
    'Whether mails wait, because the mail server has refused them for now. It concerns all mails, and says nothing of an address',
  examples: [false],
})

export const DateOnly = (description?: string) =>
  Type.String({
    format: 'date',
    pattern: realYear,
    ...(description && { description }),
    examples: ['2026-11-20'],
  })

/** Time of day in the Europe/Paris time zone. */
export const HourOfDay = (description: string, example: string) =>
  Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description, examples: [example] })

export function nullable<T extends TSchema>(schema: T): TUnsafe<Static<T> | null> {
  const { type, enum: values } = schema as { type?: string; enum?: unknown[] }
  return Type.Unsafe<Static<T> | null>({
    ...schema,
    ...(type !== undefined && { type: [type, 'null'] }),
    ...(values !== undefined && { enum: [...values, null] }),
  })
}

export const textOrNull = (example: string, description?: string) =>
  nullable(Type.String({ ...(description && { description }), examples: [example] }))

/** A record that a response refers to: its id and its name. */
export const named = (title: string, example: string, description?: string) =>
  titled(title, { id: Id(), nom: Type.String({ examples: [example] }) }, description)

const userName = { id: Id(), nom: textOrNull('Zoé Martin') }

/** Id and name of a user, shown beside the user's id. */
export const UserName = titled('UserName', userName)
export const NullableUserName = nullable(titled('NullableUserName', userName))

/** Shown beside the status of a mail. */
export const EmailError = textOrNull(
  '452 4.2.2 Mailbox full',
  'Response of the mail server to the last attempt, without addresses',
)

/** String enum; generated clients get a union of literals. */
export function oneOf<const T extends string>(values: readonly T[], description?: string) {
  return Type.Unsafe<T>({
    type: 'string',
    enum: values,
    ...(description && { description }),
    examples: [values[0]],
  })
}

/** The actions that the caller may perform on a record. */
export const Can = <const Action extends string>(actions: Readonly<Record<Action, unknown>>) =>
  Type.Array(oneOf(Object.keys(actions) as Action[]), {
    description:
      'Actions that the caller may perform and that would change the record; each has the name of the last path segment, or `edit`/`delete`',
  })

export const record = <T extends TSchema>(record: T) => Type.Object({ data: record })
export const list = <T extends TSchema>(record: T) => Type.Object({ data: Type.Array(record) })

export const optionalBodyMark = 'x-optional-body'

/** A body that may be absent. `null` is not absent. */
export const optionalBody = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | undefined>({ ...schema, [optionalBodyMark]: true })

/** Body of a write that takes no input: absent or an empty object. */
export const noBody = optionalBody(strictObject({}))

/** Body of a request that settles a row that was given up (`platform/jobs/rows.ts`). */
export const SettleBody = strictObject({
  reason: filledText(1_000, { description: 'Kept in the audit log', examples: ['Vu, rien à faire'] }),
})
