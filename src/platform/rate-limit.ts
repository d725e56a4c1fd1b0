/** The number of requests a caller may send in a period. */
export type RateLimit = { points: number; seconds: number } | 'off'

/** Parses `20/hour` or `off`. */
export function parseRateLimit(text: string): RateLimit {
  if (text === 'off') return 'off'
  const [, count, unit] = /^([1-9]\d{0,8})\/(second|minute|hour|day)$/.exec(text) ?? []
  const seconds = units[unit ?? '']
  if (seconds === undefined) {
    throw new Error('must be a number per second, minute, hour or day such as 20/hour, or off')
  }
  return { points: Number(count), seconds }
}

const units: Record<string, number> = { second: 1, minute: 60, hour: 3_600, day: 86_400 }
