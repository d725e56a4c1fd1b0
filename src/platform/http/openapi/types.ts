import type { TSchema } from 'typebox'

/** The parts of the OpenAPI document that the service reads or changes. */
export type OpenApiDocument = { paths: Record<string, Record<string, Operation>>; components: Components }

type Components = {
  schemas: Record<string, unknown>
  responses?: Record<string, unknown>
  parameters?: Record<string, unknown>
  headers?: Record<string, unknown>
  securitySchemes: Record<string, unknown>
}
export type Operation = {
  parameters?: Parameter[]
  requestBody?: Content
  responses: Record<string, Response>
  security: Record<string, string[]>[]
  'x-repeatable'?: boolean
}
export type Parameter = {
  $ref?: string
  name?: string
  in?: string
  schema?: TSchema & { type?: unknown; format?: string; examples?: unknown[] }
  required?: boolean
  explode?: boolean
  example?: unknown
}
export type Json = { schema: TSchema; example?: unknown }
type Content = { description?: string; required?: boolean; content?: Record<string, Json> }
export type Response = Content & { $ref?: string; headers?: Record<string, { $ref: string }> }
