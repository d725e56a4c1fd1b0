import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import {
  ApiError,
  internalError,
  malformedRequest,
  notFound,
  payloadTooLarge,
  unsupportedMediaType,
} from '../errors.ts'
import { languageOf } from './language.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The error that the request log line reports. */
    failure: { error: string; reason?: string } | undefined
  }
}

/** Maps constraint names of the database to errors. */
export type ConstraintErrors = Record<string, () => ApiError>

/** Sets the headers of a page that shows an error, and returns it; null where the client expects JSON. */
export type ErrorPage = (
  error: ApiError,
  request: FastifyRequest,
  reply: FastifyReply,
) => string | null | Promise<string | null>

/** Turns every error into a response. */
export function errorHandler(constraints: ConstraintErrors, errorPage: ErrorPage = () => null) {
  return async (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const error = recognise(thrown, constraints)
    const { status } = error.kind
    const reason = status === 503 ? reasonOf(error.cause) : ''
    request.failure = { error: error.code, ...(reason && { reason }) }
    // Only internal errors are logged with their stack. An unavailable service is one short line.
    if (status === 500) request.log.error({ err: error.cause ?? thrown }, error.code)
    reply.code(status).header('cache-control', 'no-store')
    if (error.retryAfterS !== undefined) reply.header('retry-after', String(error.retryAfterS))
    if (status === 401)
      reply.header('www-authenticate', error.challenge ? `Bearer error="${error.challenge}"` : 'Bearer')
    return reply.send(
      (await errorPage(error, request, reply)) ?? errorBody(error, request.headers['accept-language']),
    )
  }
}

export function errorBody(error: ApiError, acceptLanguage: string | undefined) {
  const language = languageOf(acceptLanguage)
  return {
    error: error.code,
    message: error.kind[language],
    ...(error.details && {
      details: error.details.map(({ field, message }) => ({ field, message: message[language] })),
    }),
  }
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause ?? '')
  return cause.message || (cause as NodeJS.ErrnoException).code || cause.name
}

function recognise(thrown: unknown, constraints: ConstraintErrors): ApiError {
  if (thrown instanceof ApiError) return thrown
  const { code, statusCode, constraint } = (thrown ?? {}) as Partial<FastifyError> & { constraint?: string }
  const byConstraint = constraint === undefined ? undefined : constraints[constraint]
  if (byConstraint) return byConstraint()
  const byCode = code === undefined ? undefined : frameworkErrors[code]
  if (byCode) return byCode()
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return malformedRequest()
  return internalError(thrown)
}

const frameworkErrors: Record<string, () => ApiError> = {
  FST_ERR_BAD_URL: notFound,
  FST_ERR_MAX_PARAM_LENGTH: notFound,
  FST_ERR_CTP_BODY_TOO_LARGE: payloadTooLarge,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: unsupportedMediaType,
}
