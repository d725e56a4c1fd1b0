import { JOURS } from '../src/modules/communes/calendar.ts'

/** A time relative to the load, so that demo content is always fresh; `at` is a time of that day in UTC. */
export type Moment = { days?: number; hours?: number; at?: string }
/** A day relative to the load. With `on`, the next such weekday, or for the past the previous one. */
export type Day = { days: number; on?: (typeof JOURS)[number] }

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export function moment({ days = 0, hours = 0, at }: Moment, now: Date): Date {
  const time = new Date(now.getTime() + days * dayMs + hours * hourMs)
  return at === undefined ? time : new Date(`${time.toISOString().slice(0, 10)}T${at}:00Z`)
}

export function moments<T extends { [K in keyof T]?: Moment }>(times: T, now: Date) {
  const entries = Object.entries<Moment>(times as Record<string, Moment>)
  return Object.fromEntries(entries.map(([name, one]) => [name, moment(one, now)])) as {
    [K in keyof T]: Date
  }
}

export function day({ days, on }: Day, now: Date): Date {
  const counted = addDays(now, days)
  if (on === undefined) return counted
  const ahead = (JOURS.indexOf(on) + 1 - counted.getUTCDay() + 7) % 7
  return addDays(counted, days < 0 && ahead > 0 ? ahead - 7 : ahead)
}

export const addDays = (from: Date, days: number) => new Date(from.getTime() + days * dayMs)
export const iso = (date: Date) => date.toISOString().slice(0, 10)

const calendar = new Intl.DateTimeFormat('fr', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
})

/** Formats a date as in "samedi 1er août". */
export const inWords = (date: Date) => calendar.format(date).replace(' 1 ', ' 1er ')
