import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Adds `Location` to a 201 from the route's template `location`: `{name}` is replaced by a field of the
 * created record, `:name` by a path parameter of the request.
 */
export async function addLocation(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  const { location } = request.routeOptions.config
  if (reply.statusCode !== 201 || location === undefined) return payload
  const { data = {} } = payload as { data?: Record<string, unknown> }
  const params = request.params as Record<string, unknown>
  const template = typeof location === 'string' ? location : location(request)
  const path = template
    .replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(data[name])))
  reply.header('location', `/api/v1${path}`)
  return payload
}
