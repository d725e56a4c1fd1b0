import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Cookies, digestOfValue, newCookieValue } from '../../platform/access/cookies.ts'
import type { Client } from '../../platform/access/session-records.ts'
import { shortAddress } from '../../platform/http/rate-limits/addresses.ts'

const yearS = 365 * 86_400

/**
 * Describes the browser of a request, and has it remember that it was here: a device is known by that value alone.
 * Where the browser does not send it, coming from another site, the value is `known` from before.
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

/** A name that its user recognises, such as "Firefox, Windows"; null for what is no browser. */
export function browserOf(userAgent: string | undefined): string | null {
  if (userAgent === undefined) return null
  const browser = browsers.find(([mark]) => mark.test(userAgent))?.[1]
  const system = systems.find(([mark]) => mark.test(userAgent))?.[1]
  const names = [browser, system].filter((name) => name !== undefined)
  return names.length === 0 ? null : names.join(', ')
}

/** In this order: most of them also claim to be those below. */
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
