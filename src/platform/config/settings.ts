import { isLoopback } from '../formats/network-address.ts'
import { StartError } from './start-error.ts'

/** Parses one environment value; its error says what the value must be. */
export type Parse<T> = (value: string) => T

/** Reads settings from the environment. A wrong value stops the start with one sentence that names it. */
export type Reader = {
  /** Null when it is not set. */
  optional<T>(name: string, parse: Parse<T>): T | null
  or<T>(name: string, parse: Parse<T>, fallback: T): T
}

/** Settings of a module: `settingsOf(config, claimsSettings)` returns what `read` returned. */
export type Settings<T> = {
  name: string
  read: (read: Reader) => T
  /** Fills a missing setting with a named secret that is created once and kept with the embedded database. */
  fillStored?(settings: T, secret: (name: string) => string): T
}

/** `asked`: collects the names of all settings. */
export function readerOf(env: NodeJS.ProcessEnv, asked = new Set<string>()): Reader {
  function optional<T>(name: string, parse: Parse<T>): T | null {
    asked.add(name)
    const value = env[name]?.trim()
    if (value === undefined || value === '') return null
    try {
      return parse(value)
    } catch (error) {
      throw new StartError(`${name} ${(error as Error).message}.`)
    }
  }
  return { optional, or: (name, parse, fallback) => optional(name, parse) ?? fallback }
}

export const must = (what: string) => new Error(`must be ${what}`)

export const text: Parse<string> = (value) => value

export const trueOrFalse: Parse<boolean> = (value) => oneOf('true', 'false')(value) === 'true'

export function wholeNumber(of: string, most: number): Parse<number> {
  return (value) => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < 1 || number > most) throw must(`a number of ${of} from 1 to ${most}`)
    return number
  }
}

export function list<T>(item: Parse<T>): Parse<T[]> {
  return (value) => {
    const parts = value.split(',').map((part) => part.trim())
    const given = parts.filter((part) => part !== '')
    if (given.length === 0) throw must('a list of at least one value')
    return given.map(item)
  }
}

export function oneOf<const T extends string>(...values: T[]): Parse<T> {
  return (value) => {
    const found = values.find((one) => one === value)
    if (found === undefined) throw must(`one of ${values.join(', ')}`)
    return found
  }
}

/**
 * Parses the URL of a trusted service: an attacker who changes its responses in transit could sign in as
 * anybody.
 */
export const trustedUrl: Parse<string> = (value) => {
  const rule = 'an https URL, or an http one on a loopback address'
  const { protocol, hostname } = new URL(urlOf(rule, 'http:', 'https:')(value))
  if (protocol === 'http:' && !isLoopback(hostname)) throw must(rule)
  return value
}

export function urlOf(what: string, ...protocols: string[]): Parse<string> {
  return (value) => {
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) throw must(what)
    return value
  }
}
