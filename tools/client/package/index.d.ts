import type { Client } from 'openapi-fetch'
import type { paths } from '../../../web/src/api/api.generated.ts'

export type { components, paths } from '../../../web/src/api/api.generated.ts'

export type ParvisOptions = {
  /** Address of the service, such as `https://parvis.example`. */
  baseUrl: string
  /** The application that calls, sent as `X-App-Source`; `public` unless the key names another. */
  source?: string | undefined
  /** An access key. Public reads need none. */
  key?: string | undefined
  /** Sends requests instead of the global `fetch`. */
  fetch?: ((request: Request) => Promise<Response>) | undefined
}

/** Returns a client of openapi-fetch with the types of the API and the headers that it expects. */
export function createParvis(options: ParvisOptions): Client<paths>
