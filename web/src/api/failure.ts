/** Failure of a request, for any reason: the only error type for requests in the application. */
export class ApiFailure extends Error {
  /** HTTP status; 0 if there was no response. */
  readonly status: number
  /** Error code of the API; `unreachable` if there was no response. */
  readonly code: string
  readonly requestId: string | null
  /** Validation errors by request field. */
  readonly details: readonly { field: string; message: string }[]

  /** Seconds after which a retry may succeed; 0 if the service does not say. */
  readonly retryAfterS: number

  constructor(failure: Pick<ApiFailure, 'status' | 'code' | 'message'> & Partial<ApiFailure>) {
    super(failure.message)
    this.name = 'ApiFailure'
    this.status = failure.status
    this.code = failure.code
    this.requestId = failure.requestId ?? null
    this.details = failure.details ?? []
    this.retryAfterS = failure.retryAfterS ?? 0
  }

  /** Whether a retry may succeed. */
  get isPassing() {
    return this.status === 0 || this.status === 503
  }
}

/** Whether the service refused the request with one of these statuses. */
export const isStatus = (error: unknown, ...statuses: number[]): boolean =>
  error instanceof ApiFailure && statuses.includes(error.status)

/** Returns the message of the service about a field, or about the first field for which `field` holds; null if none. */
export function messageFor(error: unknown, field: string | ((name: string) => boolean)): string | null {
  if (!(error instanceof ApiFailure)) return null
  const isMeant = typeof field === 'string' ? (name: string) => name === field : field
  return error.details.find((detail) => isMeant(detail.field))?.message ?? null
}

/** Whether an earlier request with this idempotency key, but with other values, has arrived: its response was lost. */
export const wasSentBefore = (error: unknown): boolean => messageFor(error, 'Idempotency-Key') !== null

type Refusal = { error?: string; message?: string; details?: { field: string; message: string }[] }

export function failureOf(response: Response, body: unknown): ApiFailure {
  const { error, message, details } = (body ?? {}) as Refusal
  return new ApiFailure({
    status: response.status,
    code: error ?? 'internal_error',
    message: message ?? response.statusText,
    requestId: response.headers.get('x-request-id'),
    details: details ?? [],
    retryAfterS: Number(response.headers.get('retry-after')),
  })
}
