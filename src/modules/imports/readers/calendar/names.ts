import type { Earlier } from '../item.ts'
import type { Occurrence } from './series.ts'
import type { WallTime } from './zones.ts'

type Name = { external_id: string; earlier: Earlier }

/**
 * Names the occurrences of an event. Calendars move hours more often than days, so a name is UID and day, with the
 * hour only where a day has several. An event that does not repeat has its UID as its name.
 */
export function nameOccurrences(uid: string, occurrences: Pick<Occurrence, 'start' | 'inSeries'>[]): Name[] {
  const times = occurrences.map(({ start, inSeries }) => {
    const text = textOf(inSeries ?? start)
    return { isNamed: inSeries !== null, ofDay: `${uid} ${text.slice(0, 10)}`, withHour: `${uid} ${text}` }
  })
  const named = times.filter(({ isNamed }) => isNamed)
  const hours = Map.groupBy(named, ({ ofDay }) => ofDay)
  const names = times.map(({ isNamed, ofDay, withHour }) => {
    if (!isNamed) return uid
    const isAlone = (hours.get(ofDay) ?? []).every((other) => other.withHour === withHour)
    return isAlone ? ofDay : withHour
  })
  const inUse = Map.groupBy(names, (_, index) => times[index]?.ofDay)
  const bare = names.filter((name) => name === uid)
  return times.map(({ ofDay, withHour }, index) => ({
    external_id: names[index] ?? uid,
    earlier: { event: uid, ofDay: [ofDay, withHour], inUse: [...bare, ...(inUse.get(ofDay) ?? [])] },
  }))
}

function textOf({ wall, isDate, isUtc }: WallTime): string {
  const text = new Date(wall).toISOString()
  return isDate ? text.slice(0, 10) : `${text.slice(0, 19)}${isUtc ? 'Z' : ''}`
}
