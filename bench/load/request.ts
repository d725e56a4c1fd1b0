/** A request to be made, as it goes over the wire save its host; `path` begins with a slash. */
export type Request = {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  headers: Record<string, string>
  body?: string
}

/** What a parameter that no route knows does: the same question, in words that nobody has used before. */
export const unseen = (path: string, mark: string) => `${path}${path.includes('?') ? '&' : '?'}utm_id=${mark}`
