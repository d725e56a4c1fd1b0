/** A request without its host; `path` begins with a slash. */
export type Request = {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  headers: Record<string, string>
  body?: string
}

/** The same request from a page of another origin: the service neither caches its response nor shares it. */
export const uncached = (request: Request): Request => ({
  ...request,
  headers: { ...request.headers, origin: 'https://bench.example.org' },
})
