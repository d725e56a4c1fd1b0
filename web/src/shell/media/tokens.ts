/**
 * The pictures or documents of a form, as the text that its draft stores: one token each, in their order. A file that was sent is its
 * id; one that was not is its key and name, which outlive the page that held its bytes.
 */
export type Token = string

const unsent = /^new:([\w-]+):(.*)$/

export const tokensIn = (text: string): Token[] => text.split(' ').filter(Boolean)
export const textOf = (tokens: readonly Token[]): string => tokens.join(' ')

export const unsentToken = (key: string, name: string): Token => `new:${key}:${encodeURIComponent(name)}`

/** Returns the key and name of a file that was not sent; null for one that was. */
export function unsentIn(token: Token): { key: string; name: string } | null {
  const [, key, name] = unsent.exec(token) ?? []
  return key === undefined || name === undefined ? null : { key, name: decodeURIComponent(name) }
}

/** Returns the ids of the files that were sent. */
export const idsIn = (text: string): string[] => tokensIn(text).filter((token) => unsentIn(token) === null)
