import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Cookies, digestOfValue, newCookieValue } from '../../platform/access/cookies.ts'
import type { Client } from '../../platform/access/session-records.ts'
import { shortAddress } from '../../platform/formats/network-address.ts'

const yearS = 365 * 86_400

/**
 * Describes the browser of a request and sets its device cookie, which alone identifies a device. `known` is
 * the cookie's earlier value, for requests from another site, which do not carry it.
 */
export function describeClient(
  cookies: Cookies,
  request: FastifyRequest,
  reply: FastifyReply,
  known: string | null = null,
): Client {
  const device = cookies.read(request, 'device') ?? known ?? newCookieValue()
  cookies.set(reply, 'device', device, yearS)
  return {
    network: shortAddress(request.ip),
    browser: browserOf(request.headers['user-agent']),
    deviceHash: digestOfValue(device),
  }
}

/** Names the browser and the system, such as "Firefox, Windows"; null if neither is recognised. */
export function browserOf(userAgent: string | undefined): string | null {
  if (userAgent === undefined) return null
  const browser = browsers.find(([mark]) => mark.test(userAgent))?.[1]
  const system = systems.find(([mark]) => mark.test(userAgent))?.[1]
  const names = [browser, system].filter((name) => name !== undefined)
  return names.length === 0 ? null : names.join(', ')
}

/** The order matters: most user agents also contain the name of a browser further down. */
const browsers: [RegExp, string][] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/HeadlessChrome\/|Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]
