/** Failure of a request, for any reason: the only error type for requests in the application. */
export class ApiFailure extends Error {
  /** HTTP status; 0 if there was no response. */
  readonly status: number
  /** Error code of the API; `unreachable` if there was no response. */
  readonly code: string
  readonly requestId: string | null
  /** Validation errors by request field. */
  readonly details: readonly { field: string; message: string }[]

  constructor(failure: Pick<ApiFailure, 'status' | 'code' | 'message'> & Partial<ApiFailure>) {
    super(failure.message)
    this.name = 'ApiFailure'
    this.status = failure.status
    this.code = failure.code
    this.requestId = failure.requestId ?? null
    this.details = failure.details ?? []
  }

  /** Whether a retry may succeed. */
  get isPassing() {
    return this.status === 0 || this.status === 503
  }
}

type Refusal = { error?: string; message?: string; details?: { field: string; message: string }[] }

export function failureOf(response: Response, body: unknown): ApiFailure {
  const { error, message, details } = (body ?? {}) as Refusal
  return new ApiFailure({
    status: response.status,
    code: error ?? 'internal_error',
    message: message ?? response.statusText,
    requestId: response.headers.get('x-request-id'),
    details: details ?? [],
  })
}
