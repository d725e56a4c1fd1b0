import { ReadFailed } from '../read-failed.ts'

/** A property with its parameters and raw value; names are in capitals. */
export type Property = { name: string; parameters: Map<string, string>; value: string }
export type Component = { lines: string[]; properties: Property[] }
/** A time zone described in the calendar, with its observances. */
export type ZoneText = { name: string; observances: Component[] }
export type Calendar = { events: Component[]; zones: ZoneText[]; isCancelled: boolean }

/** Splits a calendar into events and zones. Unfolds lines; skips lines without a name. */
export function readComponents(text: string): Calendar {
  const lines = text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/\n[ \t]/g, '')
    .split('\n')
  const calendar: Calendar = { events: [], zones: [], isCancelled: false }
  let isCalendar = false
  let event: Component | null = null
  /** Nesting depth within the event: properties of nested components, such as alarms, are skipped. */
  let depth = 0
  let zone: ZoneText | null = null
  let observance: Component | null = null
  for (const line of lines) {
    const sign = line.trim().toUpperCase()
    if (sign === 'BEGIN:VCALENDAR') isCalendar = true
    else if (sign === 'METHOD:CANCEL') calendar.isCancelled = true
    else if (sign === 'BEGIN:VEVENT') {
      event = { lines: [], properties: [] }
      depth = 0
    } else if (sign === 'END:VEVENT') {
      if (event !== null) calendar.events.push(event)
      event = null
    } else if (event !== null) {
      event.lines.push(line)
      if (sign.startsWith('BEGIN:')) depth += 1
      else if (sign.startsWith('END:')) depth -= 1
      else if (depth <= 0) addProperty(event, line)
    } else if (sign === 'BEGIN:VTIMEZONE') zone = { name: '', observances: [] }
    else if (sign === 'END:VTIMEZONE') {
      if (zone !== null) calendar.zones.push(zone)
      zone = null
    } else if (zone !== null) {
      if (sign === 'BEGIN:STANDARD' || sign === 'BEGIN:DAYLIGHT') observance = { lines: [], properties: [] }
      else if (sign === 'END:STANDARD' || sign === 'END:DAYLIGHT') {
        if (observance !== null) zone.observances.push(observance)
        observance = null
      } else if (observance !== null) addProperty(observance, line)
      else if (sign.startsWith('TZID:')) zone.name = line.slice(line.indexOf(':') + 1).trim()
    }
  }
  if (!isCalendar) throw new ReadFailed('It cannot be read as iCalendar.')
  return calendar
}

function addProperty({ properties }: Component, line: string): void {
  const property = readLine(line)
  if (property !== null) properties.push(property)
}

/** Parses `NAME;KEY=value;KEY="quoted: value":text`; null if the line is no property. */
function readLine(line: string): Property | null {
  const name = /^\s*([A-Za-z0-9-]+)(?=[;:])/.exec(line)
  if (!name) return null
  const parameters = new Map<string, string>()
  const parameter = /;\s*([A-Za-z0-9-]+)(?:=("[^"]*"|[^;:"]*)[^;:]*)?/y
  let at = name[0].length
  while (line[at] === ';') {
    parameter.lastIndex = at
    const [whole = ';', key = '', value = ''] = parameter.exec(line) ?? []
    if (key !== '') parameters.set(key.toUpperCase(), value.replaceAll('"', '').trim())
    at += whole.length
  }
  const colon = line.indexOf(':', at)
  if (colon < 0) return null
  return { name: name[1]?.toUpperCase() ?? '', parameters, value: line.slice(colon + 1) }
}

export const propertyOf = ({ properties }: Component, name: string) =>
  properties.find((property) => property.name === name)
export const propertiesOf = ({ properties }: Component, name: string) =>
  properties.filter((property) => property.name === name)

/** Returns the unescaped text of a property; null if it is missing. */
export function textOf(component: Component, name: string): string | null {
  const value = propertyOf(component, name)?.value
  if (value === undefined) return null
  return value.replaceAll(/\\([nN,;:"\\])/g, (_, sign: string) => (/n/i.test(sign) ? '\n' : sign))
}
