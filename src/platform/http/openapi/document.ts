import swagger from '@fastify/swagger'
import Type from 'typebox'
import type { Config } from '../../config/config.ts'
import { version } from '../../config/version.ts'
import type { Audience, HttpServer } from '../http-server.ts'
import { DateOnly, Id, noBody, nullable, optionalBodyMark, Timestamp } from '../validation/schemas.ts'
import { errorSchemas } from './error-responses.ts'
import { describeHeaders, headerComponents, repeatableMark } from './headers.ts'
import { documentationPage } from './page.ts'
import { extendSchemas, shareErrors, shareParameters } from './shared-parts.ts'
import type { OpenApiDocument, Operation } from './types.ts'
import { describeCallers } from './who-may.ts'

type Schema = {
  examples?: unknown[]
  default?: unknown
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  items?: Schema
  type?: string | string[]
}

/** Builds an example value for a schema from the examples of its parts. */
export function exampleOf(schema: object): unknown {
  const { examples, properties, items, type, anyOf, enum: values, ...rest } = schema as Schema
  if (examples !== undefined) return examples[0]
  if (rest.const !== undefined) return rest.const
  if (rest.default !== undefined) return rest.default
  if (values !== undefined) return values[0]
  if (anyOf?.[0] !== undefined) return exampleOf(anyOf[0])
  if (properties !== undefined) {
    return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, exampleOf(part)]))
  }
  if (items !== undefined) return [exampleOf(items)]
  if (Array.isArray(type) && type.includes('null')) return null
  return { boolean: true, integer: 1, number: 1 }[String(type)] ?? 'text'
}

type Documented = { name: string; about: string; routes?: object }

/** Generates the OpenAPI document from the schemas that validate requests; `/docs` shows it unless `DOCS=off`. */
export async function documentApi(
  server: HttpServer,
  modules: readonly Documented[],
  { docs }: Pick<Config, 'docs'>,
): Promise<void> {
  const tags = modules.filter(({ routes }) => routes).map(({ name, about }) => ({ name, description: about }))
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Parvis',
        version,
        summary: 'Communes, acteurs and publications of French local communities',
        description:
          'Every request carries `X-App-Source`. Public reads need nothing else; the other operations say who may call them. Errors are `{error, message}`: the code is stable, the message follows `Accept-Language`.',
        contact: { name: 'The operator of this service' },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'This service' }],
      tags,
      components: { securitySchemes },
    },
    transform: ({ schema, url, route }) => {
      const { scope } = route.config ?? {}
      if (scope === undefined || scope.audience === 'page') return { schema: { ...schema, hide: true }, url }
      const { body, ...rest } = schema
      const taken = body === noBody ? rest : schema
      return {
        schema: {
          ...taken,
          description: [schema.description, `${describeCallers(scope)}.`].filter(Boolean).join('\n\n'),
          ...(route.config?.repeatable && { [repeatableMark]: true }),
          security:
            route.method === 'POST' && scope.audience === 'public'
              ? perhapsSignedIn
              : securityOf[scope.audience],
        },
        url,
      }
    },
    transformObject: (document) =>
      finish((document as unknown as { openapiObject: OpenApiDocument }).openapiObject) as never,
  })
  if (docs) documentationPage(server)
}

const securitySchemes = {
  appSource: {
    type: 'apiKey',
    in: 'header',
    name: 'X-App-Source',
    description:
      'Which application calls: `public`, `mairie`, `backoffice`, or a code the operator has added. Where none is given, the page at `/docs` sends the one that the route is for.',
  },
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-parvis_session',
    description:
      'What signing in sets; `parvis_session` where the service is reached without TLS. A request that is neither GET nor HEAD needs `X-App-Source` too, and must come from a page of the service.',
  },
} as const

const securityOf: Record<Audience, Record<string, string[]>[]> = {
  open: [],
  page: [],
  public: [{ appSource: [] }],
  'sign-in': [{ appSource: [] }],
  navigation: [],
  bearer: [{ bearer: [] }, { session: [] }],
  mairie: [
    { appSource: [], bearer: [] },
    { appSource: [], session: [] },
  ],
  admin: [
    { appSource: [], bearer: [] },
    { appSource: [], session: [] },
  ],
  webhook: [],
}

/** Signing in is optional on a public write. */
const perhapsSignedIn = [{ appSource: [] }, { appSource: [], bearer: [] }, { appSource: [], session: [] }]

/** Gives each request body an example and moves what operations share to the components. */
function finish(document: OpenApiDocument): OpenApiDocument {
  const schemas: Record<string, unknown> = { ...errorSchemas }
  const shared = {}
  const named = Object.values(document.paths).flatMap((path) => Object.entries(path))
  const operations = named.map(([, operation]) => operation)
  for (const [method, operation] of named) {
    describeParameters(operation)
    describeSuccess(operation)
    describeCsv(operation)
    describeHeaders(method, operation, method === 'get' && operation.security === securityOf.public)
    const [body] = Object.values(operation.requestBody?.content ?? {})
    if (body !== undefined) {
      // An example given with the body takes precedence. Those of responses follow from the examples of their fields.
      body.example ??= exampleOf(body.schema)
      if (optionalBodyMark in body.schema)
        operation.requestBody = { ...operation.requestBody, required: false }
    }
  }
  for (const operation of operations) shareErrors(operation, shared)
  const used = new Set(
    operations.flatMap(({ security }) => security.flatMap((scheme) => Object.keys(scheme))),
  )
  const schemes = Object.entries(document.components.securitySchemes).filter(([name]) => used.has(name))
  const parameters = { ...headerComponents.parameters, ...shareParameters(operations) }
  const paths = hoist(document.paths, schemas)
  const responses = hoist(shared, schemas)
  extendSchemas(schemas)
  const { headers } = headerComponents
  const securitySchemes = Object.fromEntries(schemes)
  return { ...document, paths, components: { schemas, responses, parameters, headers, securitySchemes } }
}

/**
 * Documents lists of values as one comma-separated parameter. Moves the example of an optional parameter into
 * its schema: otherwise the documentation page would prefill it.
 */
function describeParameters({ parameters = [] }: Operation): void {
  for (const parameter of parameters) {
    if (parameter.in === 'query' && parameter.schema?.type === 'array') parameter.explode = false
    if (parameter.required || parameter.example === undefined) continue
    parameter.schema = { ...parameter.schema, examples: [parameter.example] }
    delete parameter.example
  }
}

/** Replaces "default response" in the viewer. */
function describeSuccess({ responses }: Operation): void {
  const meanings = { 200: 'Success', 201: 'Created', 202: 'Accepted: continues in the background' }
  for (const [status, description] of Object.entries(meanings)) {
    if (responses[status] !== undefined) responses[status].description = description
  }
}

/** Documents the CSV output of back-office lists with cursor pagination. */
function describeCsv({ parameters = [], responses, security }: Operation): void {
  const content = responses['200']?.content
  if (security !== securityOf.admin || !parameters.some(({ name }) => name === 'after') || !content) return
  const description =
    'With `Accept: text/csv`: all rows that the filters leave, in the order of `sort`. `page`, `per_page` and `after` are ignored'
  content['text/csv'] = { schema: Type.String({ title: 'Csv', description, examples: [csvExample] }) }
}

const csvExample = 'id,nom\r\n0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e,Zoé Martin\r\n'

/** Moves titled schemas and common values to the components, and returns references to them. */
function hoist<T>(node: T, schemas: Record<string, unknown>): T {
  if (Array.isArray(node)) return node.map((item) => hoist(item, schemas)) as T
  if (typeof node !== 'object' || node === null) return node
  const parts = Object.entries(node).filter(([key]) => key !== optionalBodyMark)
  // An example is not a schema, even when a record in it has a title and a type.
  const copy = Object.fromEntries(
    parts.map(([key, value]) => [key, key.startsWith('example') ? value : hoist(value, schemas)]),
  )
  const scalar = scalars.get(JSON.stringify(copy))
  if (scalar !== undefined) {
    schemas[scalar] ??= copy
    return { $ref: `#/components/schemas/${scalar}` } as T
  }
  if (typeof copy.title !== 'string' || !('type' in copy)) return copy as T
  const { title, ...schema } = copy
  schemas[title] ??= schema
  if (JSON.stringify(schemas[title]) !== JSON.stringify(schema))
    throw new Error(`Two schemas are called ${title}.`)
  return { $ref: `#/components/schemas/${title}` } as T
}

/** The values that most records have, which carry no title. */
const scalars = new Map(
  Object.entries({
    Id: Id(),
    NullableId: nullable(Id()),
    Timestamp: Timestamp(),
    NullableTimestamp: nullable(Timestamp()),
    NullableDate: nullable(DateOnly()),
  }).map(([name, schema]) => [JSON.stringify(schema), name]),
)
