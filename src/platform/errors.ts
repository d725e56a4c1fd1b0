/** The errors that any route can return. Codes do not depend on the language; messages do. */

export type Text = { en: string; fr: string }
export type Problem = { field: string; message: Text }

/** Status and messages of an error. Modules add their own tables. */
export type ErrorKind = { status: number; en: string; fr: string }
export type Errors = Record<string, ErrorKind>

export const platformErrors = {
  missing_app_source: {
    status: 400,
    en: 'The X-App-Source header is required.',
    fr: 'L’en-tête X-App-Source est requis.',
  },
  malformed_request: {
    status: 400,
    en: 'The request could not be read.',
    fr: 'La requête n’a pas pu être lue.',
  },
  unauthenticated: {
    status: 401,
    en: 'A valid access token is required.',
    fr: 'Un jeton d’accès valide est requis.',
  },
  admin_required: {
    status: 403,
    en: 'Your role does not include this section.',
    fr: 'Votre rôle ne donne pas accès à cette rubrique.',
  },
  forbidden: {
    status: 403,
    en: 'You are not allowed to do this.',
    fr: 'Vous n’avez pas le droit de faire cela.',
  },
  confirmation_required: {
    status: 403,
    en: 'Confirm that it is you, then send this again.',
    fr: 'Confirmez que c’est bien vous, puis recommencez.',
  },
  enrolment_required: {
    status: 403,
    en: 'Set up a second factor first: it is required.',
    fr: 'Mettez d’abord en place un second facteur : il est obligatoire.',
  },
  key_refused: {
    status: 403,
    en: 'No access key opens this: sign in.',
    fr: 'Aucune clé d’API n’ouvre ceci : connectez-vous.',
  },
  scope_violation: {
    status: 403,
    en: 'You have no access to this resource.',
    fr: 'Vous n’avez pas accès à cette ressource.',
  },
  not_found: { status: 404, en: 'This resource does not exist.', fr: 'Cette ressource n’existe pas.' },
  conflict: {
    status: 409,
    en: 'The current state of the record does not allow this.',
    fr: 'L’état actuel de l’enregistrement ne le permet pas.',
  },
  precondition_failed: {
    status: 412,
    en: 'The record has changed since the version you indicated.',
    fr: 'L’enregistrement a changé depuis la version indiquée.',
  },
  payload_too_large: {
    status: 413,
    en: 'The request is too large.',
    fr: 'La requête est trop volumineuse.',
  },
  unsupported_media_type: {
    status: 415,
    en: 'The body must be application/json.',
    fr: 'Le corps doit être en application/json.',
  },
  misdirected: {
    status: 421,
    en: 'This host does not serve this address.',
    fr: 'Cet hôte ne sert pas cette adresse.',
  },
  validation_failed: {
    status: 422,
    en: 'Some values are not valid.',
    fr: 'Certaines valeurs ne sont pas valides.',
  },
  rate_limited: {
    status: 429,
    en: 'Too many requests: try again later.',
    fr: 'Trop de requêtes : réessayez plus tard.',
  },
  internal_error: {
    status: 500,
    en: 'Something went wrong on our side.',
    fr: 'Une erreur s’est produite de notre côté.',
  },
  unavailable: {
    status: 503,
    en: 'The service is briefly unavailable: try again soon.',
    fr: 'Le service est momentanément indisponible : réessayez bientôt.',
  },
} satisfies Errors

type Extra = {
  details?: Problem[]
  retryAfterS?: number
  /** The `error` of `WWW-Authenticate`, for clients that must distinguish this 401 from others. */
  challenge?: string
  cause?: unknown
}

export class ApiError extends Error {
  readonly code: string
  readonly kind: ErrorKind
  readonly details: Problem[] | undefined
  readonly retryAfterS: number | undefined
  readonly challenge: string | undefined

  constructor(code: string, kind: ErrorKind, { details, retryAfterS, challenge, cause }: Extra = {}) {
    super(kind.en, { cause })
    this.code = code
    this.kind = kind
    this.details = details
    this.retryAfterS = retryAfterS
    this.challenge = challenge
  }
}

/** Creates a constructor for an error of a table, used as `throw notFound()`. */
export function errorOf<const E extends Errors>(errors: E, code: keyof E & string) {
  const kind = errors[code] as ErrorKind
  return (extra?: Extra) => new ApiError(code, kind, extra)
}

const ours = (code: keyof typeof platformErrors) => errorOf(platformErrors, code)

export const missingAppSource = ours('missing_app_source')
export const malformedRequest = ours('malformed_request')
export const unauthenticated = ours('unauthenticated')
export const adminRequired = ours('admin_required')
export const forbidden = ours('forbidden')
export const confirmationRequired = ours('confirmation_required')
export const enrolmentRequired = ours('enrolment_required')
export const keyRefused = ours('key_refused')
export const scopeViolation = ours('scope_violation')
export const notFound = ours('not_found')
export const conflict = ours('conflict')
/** Creates a conflict whose message says what prevents the change. */
export const conflictOf = (message: Text) => new ApiError('conflict', { status: 409, ...message })
export const preconditionFailed = ours('precondition_failed')
export const payloadTooLarge = ours('payload_too_large')
export const misdirected = ours('misdirected')
export const unsupportedMediaType = ours('unsupported_media_type')
export const internalError = (cause: unknown) => ours('internal_error')({ cause })
export const validationFailed = (details: Problem[]) => ours('validation_failed')({ details })
/** Creates the error for a value that matches the schema but violates a rule. */
export const invalid = (field: string, message: Text) => validationFailed([{ field, message }])
export const rateLimited = (retryAfterS: number) => ours('rate_limited')({ retryAfterS })
/** The log shows the cause; the client only learns when to retry. */
export const unavailable = (cause: unknown, retryAfterS = 5) => ours('unavailable')({ retryAfterS, cause })

/** Throws, for use as `row ?? raise(notFound())`. */
export function raise(error: Error): never {
  throw error
}

/** Returns a problem for each value that repeats an earlier one. */
export function repeatedValues(values: readonly string[], fieldOf: (index: number) => string): Problem[] {
  return values.flatMap((value, index) =>
    values.indexOf(value) === index ? [] : [{ field: fieldOf(index), message: repeated }],
  )
}

const repeated: Text = { en: 'is already in the list', fr: 'figure déjà dans la liste' }
