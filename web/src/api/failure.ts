/** A request without success, whatever the reason: the one shape of an error in the application. */
export class ApiFailure extends Error {
  /** 0: there was no response. */
  readonly status: number
  /** As the API documents it; `unreachable` without a response. */
  readonly code: string
  readonly requestId: string | null
  /** Errors by field of the request. */
  readonly details: readonly { field: string; message: string }[]

  constructor(failure: Pick<ApiFailure, 'status' | 'code' | 'message'> & Partial<ApiFailure>) {
    super(failure.message)
    this.name = 'ApiFailure'
    this.status = failure.status
    this.code = failure.code
    this.requestId = failure.requestId ?? null
    this.details = failure.details ?? []
  }

  /** The same request may succeed in a moment. */
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
