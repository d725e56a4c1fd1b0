import type { IncomingMessage } from 'node:http'

/**
 * Names of robots, or the address at which one explains itself. What goaccess takes for one, as far as a rule can say it;
 * Cubot makes telephones.
 */
const robot = /(?<!cu)bot|crawl|spider|slurp|https?:|mediapartners|whatsapp|^(?:python-urllib|java|ruby)\b/i

/**
 * Returns whether a request was a reading: a page that somebody asked for and got, or had and found unchanged. A robot that calls
 * itself a browser is one.
 */
export const isReading = ({ method, headers }: IncomingMessage, status: number): boolean =>
  method === 'GET' &&
  (status === 200 || status === 304) &&
  !robot.test(headers['user-agent'] ?? '') &&
  !isUnseen(headers)

/** Nobody sees what a browser loads in advance, or what a script of a page loads. */
function isUnseen(headers: IncomingMessage['headers']): boolean {
  const purpose = `${headers['sec-purpose'] ?? headers.purpose ?? headers['x-moz'] ?? ''}`
  const isByScript = headers['sec-fetch-dest'] === 'empty' && headers['sec-fetch-mode'] !== 'navigate'
  return purpose.startsWith('pre') || isByScript
}
