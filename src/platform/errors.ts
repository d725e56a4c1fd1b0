/** Every error that the API can answer. Codes never change with the language; messages do. */

export type Text = { en: string; fr: string }
export type Problem = { field: string; message: Text }

const catalogue = {
  missing_app_source: [400, 'The X-App-Source header is required.', "L'en-tête X-App-Source est requis."],
  malformed_request: [400, 'The request could not be read.', "La requête n'a pas pu être lue."],
  unauthenticated: [401, 'A valid access token is required.', "Un jeton d'accès valide est requis."],
  admin_required: [
    403,
    'This needs an administrator role that opens this area.',
    "Un rôle d'administration ouvrant cet espace est requis.",
  ],
  forbidden: [403, 'You are not allowed to do this.', "Vous n'avez pas le droit de faire cela."],
  scope_violation: [
    403,
    'This lies outside what the application or the account may reach.',
    "Ceci est hors du périmètre de l'application ou du compte.",
  ],
  not_found: [404, 'There is nothing here.', "Il n'y a rien ici."],
  conflict: [
    409,
    'This conflicts with the present state of the record.',
    "Ceci est en conflit avec l'état présent de l'enregistrement.",
  ],
  claim_conflict: [
    409,
    'A claim is already in progress for this acteur.',
    'Une demande est déjà en cours pour cet acteur.',
  ],
  claim_already_decided: [409, 'This claim is decided.', 'Cette demande est déjà traitée.'],
  last_admin: [409, 'The last administrator stays.', 'Le dernier administrateur reste en place.'],
  slug_taken: [409, 'This slug is already taken.', 'Ce slug est déjà pris.'],
  precondition_failed: [
    412,
    'The record has changed since the version you name.',
    "L'enregistrement a changé depuis la version que vous nommez.",
  ],
  payload_too_large: [413, 'The request is too large.', 'La requête est trop volumineuse.'],
  unsupported_media_type: [
    415,
    'The body must be application/json.',
    'Le corps doit être en application/json.',
  ],
  validation_failed: [422, 'Some values are not valid.', 'Certaines valeurs ne sont pas valides.'],
  rate_limited: [429, 'Too many requests: try again later.', 'Trop de requêtes : réessayez plus tard.'],
  internal_error: [500, 'Something went wrong on our side.', "Une erreur s'est produite de notre côté."],
  unavailable: [
    503,
    'The service is briefly unavailable: try again soon.',
    'Le service est momentanément indisponible : réessayez bientôt.',
  ],
} as const satisfies Record<string, readonly [status: number, en: string, fr: string]>

export type ErrorCode = keyof typeof catalogue

type Extra = { details?: Problem[]; retryAfterS?: number; cause?: unknown }

export class ApiError extends Error {
  readonly code: ErrorCode
  readonly details: Problem[] | undefined
  readonly retryAfterS: number | undefined

  constructor(code: ErrorCode, { details, retryAfterS, cause }: Extra = {}) {
    super(catalogue[code][1], { cause })
    this.code = code
    this.details = details
    this.retryAfterS = retryAfterS
  }
}

export const statusOf = (code: ErrorCode): number => catalogue[code][0]
export const messageOf = (code: ErrorCode): Text => ({ en: catalogue[code][1], fr: catalogue[code][2] })

export const missingAppSource = () => new ApiError('missing_app_source')
export const malformedRequest = () => new ApiError('malformed_request')
export const unauthenticated = () => new ApiError('unauthenticated')
export const adminRequired = () => new ApiError('admin_required')
export const forbidden = () => new ApiError('forbidden')
export const scopeViolation = () => new ApiError('scope_violation')
export const notFound = () => new ApiError('not_found')
export const conflict = () => new ApiError('conflict')
export const claimConflict = () => new ApiError('claim_conflict')
export const claimAlreadyDecided = () => new ApiError('claim_already_decided')
export const lastAdmin = () => new ApiError('last_admin')
export const slugTaken = () => new ApiError('slug_taken')
export const preconditionFailed = () => new ApiError('precondition_failed')
export const payloadTooLarge = () => new ApiError('payload_too_large')
export const unsupportedMediaType = () => new ApiError('unsupported_media_type')
export const validationFailed = (details: Problem[]) => new ApiError('validation_failed', { details })
/** One value that the schema lets through and a rule does not. */
export const invalid = (field: string, message: Text) => validationFailed([{ field, message }])
export const rateLimited = (retryAfterS: number) => new ApiError('rate_limited', { retryAfterS })
export const unavailable = (cause?: unknown) => new ApiError('unavailable', { retryAfterS: 5, cause })

/** For `row ?? raise(notFound())`. */
export function raise(error: Error): never {
  throw error
}
