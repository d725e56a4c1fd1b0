/** The errors that any route can answer. Codes never change with the language; messages do. */

export type Text = { en: string; fr: string }
export type Problem = { field: string; message: Text }

/** What an error says, and with which status. Modules have tables of their own, beside this one. */
export type ErrorKind = { status: number; en: string; fr: string }
export type Errors = Record<string, ErrorKind>

export const platformErrors = {
  missing_app_source: {
    status: 400,
    en: 'The X-App-Source header is required.',
    fr: "L'en-tête X-App-Source est requis.",
  },
  malformed_request: {
    status: 400,
    en: 'The request could not be read.',
    fr: "La requête n'a pas pu être lue.",
  },
  unauthenticated: {
    status: 401,
    en: 'A valid access token is required.',
    fr: "Un jeton d'accès valide est requis.",
  },
  admin_required: {
    status: 403,
    en: 'This needs an administrator role that opens this area.',
    fr: "Un rôle d'administration ouvrant cet espace est requis.",
  },
  forbidden: {
    status: 403,
    en: 'You are not allowed to do this.',
    fr: "Vous n'avez pas le droit de faire cela.",
  },
  scope_violation: {
    status: 403,
    en: 'This lies outside what the application or the account may reach.',
    fr: "Ceci est hors du périmètre de l'application ou du compte.",
  },
  not_found: { status: 404, en: 'There is nothing here.', fr: "Il n'y a rien ici." },
  conflict: {
    status: 409,
    en: 'This conflicts with the present state of the record.',
    fr: "Ceci est en conflit avec l'état présent de l'enregistrement.",
  },
  precondition_failed: {
    status: 412,
    en: 'The record has changed since the version you name.',
    fr: "L'enregistrement a changé depuis la version que vous nommez.",
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
    fr: "Une erreur s'est produite de notre côté.",
  },
  unavailable: {
    status: 503,
    en: 'The service is briefly unavailable: try again soon.',
    fr: 'Le service est momentanément indisponible : réessayez bientôt.',
  },
} satisfies Errors

type Extra = { details?: Problem[]; retryAfterS?: number; cause?: unknown }

export class ApiError extends Error {
  readonly code: string
  readonly kind: ErrorKind
  readonly details: Problem[] | undefined
  readonly retryAfterS: number | undefined

  constructor(code: string, kind: ErrorKind, { details, retryAfterS, cause }: Extra = {}) {
    super(kind.en, { cause })
    this.code = code
    this.kind = kind
    this.details = details
    this.retryAfterS = retryAfterS
  }
}

/** An error of a table, to be thrown: `throw notFound()`. */
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
export const scopeViolation = ours('scope_violation')
export const notFound = ours('not_found')
export const conflict = ours('conflict')
export const preconditionFailed = ours('precondition_failed')
export const payloadTooLarge = ours('payload_too_large')
export const unsupportedMediaType = ours('unsupported_media_type')
export const internalError = (cause: unknown) => ours('internal_error')({ cause })
export const validationFailed = (details: Problem[]) => ours('validation_failed')({ details })
/** One value that the schema lets through and a rule does not. */
export const invalid = (field: string, message: Text) => validationFailed([{ field, message }])
export const rateLimited = (retryAfterS: number) => ours('rate_limited')({ retryAfterS })
export const unavailable = (cause?: unknown) => ours('unavailable')({ retryAfterS: 5, cause })

/** For `row ?? raise(notFound())`. */
export function raise(error: Error): never {
  throw error
}
