/** A request without its host; `path` begins with a slash. */
export type Request = {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  headers: Record<string, string>
  body?: string
}

/** Returns the request as from another origin: the service neither caches nor shares the response. */
export const uncached = (request: Request): Request => ({
  ...request,
  headers: { ...request.headers, origin: 'https://bench.example.org' },
})
