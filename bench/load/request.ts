/** A request without its host; `path` begins with a slash. */
export type Request = {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  headers: Record<string, string>
  body?: string
}

/** Gives a GET a length that it does not need: the service neither caches nor shares the response. */
export const uncached = (request: Request): Request =>
  request.method === 'GET' ? { ...request, headers: { 'content-length': '0', ...request.headers } } : request

/** Returns the request as HTTP/1.1 sends it. */
export function messageOf({ method, path, headers, body = '' }: Request, port: number): string {
  const fields = {
    host: `127.0.0.1:${port}`,
    ...headers,
    ...(body && { 'content-length': Buffer.byteLength(body) }),
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}
