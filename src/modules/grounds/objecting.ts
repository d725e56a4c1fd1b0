import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Config } from '../../platform/config/config.ts'
import { siteAddress } from '../../platform/mail/site.ts'

/** Months in which somebody can object to a decision, or to the outcome of a report. */
export const objectionMonths = 6

/** Condition: it is not too late to object to what was decided then. */
export const canObject = (decidedAt: RawBuilder<unknown>) =>
  sql<boolean>`${decidedAt} > now() - make_interval(months => ${sql.lit(objectionMonths)})`

/** The time until which somebody can object. */
export const objectionUntil = (decidedAt: RawBuilder<unknown>) =>
  sql<Date>`(${decidedAt} + make_interval(months => ${sql.lit(objectionMonths)}))`

/**
 * What a link objects to, and whose it is: `statement` of an author or owner, `case` of a reporter. `by`: the id of the user
 * or of the reporter.
 */
export type Objection = { about: 'statement' | 'case'; id: string; by: string }

/**
 * Links to object, in mails. Their last part holds the ids and a MAC, under a key derived from SESSION_KEY: nothing of it is
 * stored, and a copy of the database makes none. How long one counts depends on what it is about.
 */
export function objectionLinks(config: Config) {
  const keys = config.sessionKeys.map((key) =>
    Buffer.from(hkdfSync('sha256', key, '', 'parvis objections', 32)),
  )
  const macOf = (key: Buffer, about: string, ids: Buffer) =>
    createHmac('sha256', key).update(about).update(ids).digest().subarray(0, 16)
  const tokenOf = ({ about, id, by }: Objection): string => {
    const ids = Buffer.from(`${id}${by}`.replaceAll('-', ''), 'hex')
    const [key] = keys
    if (key === undefined) throw new Error('SESSION_KEY is missing.')
    return `${about[0]}${Buffer.concat([ids, macOf(key, about, ids)]).toString('base64url')}`
  }
  return {
    /** The page of the site, on the platform or under the origin of a domain; null without the site. */
    linkOf: (objection: Objection, origin?: string): string | null =>
      siteAddress(config, `reclamation/${tokenOf(objection)}`, origin),
    /** Returns what a token objects to; null if it is forged. */
    read(token: string): Objection | null {
      const about = token[0] === 's' ? 'statement' : token[0] === 'c' ? 'case' : null
      const bytes = Buffer.from(token.slice(1), 'base64url')
      if (about === null || !/^[\w-]{64}$/.test(token.slice(1)) || bytes.length !== 48) return null
      const [ids, mac] = [bytes.subarray(0, 32), bytes.subarray(32)]
      if (!keys.some((key) => timingSafeEqual(mac, macOf(key, about, ids)))) return null
      return { about, id: uuidOf(ids.subarray(0, 16)), by: uuidOf(ids.subarray(16)) }
    },
  }
}

const uuidOf = (bytes: Buffer) =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
