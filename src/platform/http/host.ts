import type { IncomingMessage } from 'node:http'

/**
 * Returns whether a request names exactly one well-formed host. A proxy and the service could otherwise understand different
 * hosts. HTTP/1.0 needs none.
 */
export function hasValidHost({ headers, httpVersion, rawHeaders }: IncomingMessage): boolean {
  const { host } = headers
  if (host === undefined) return httpVersion === '1.0'
  if (!wellFormed.test(host)) return false
  // Node keeps only the first line of several.
  let lines = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') lines++
  }
  return lines === 1
}

/** A name, an IPv4 address or an IPv6 address in brackets, and a port or none. */
const wellFormed = /^(?:\[[0-9a-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})+)(?::\d{0,5})?$/i
