import { CronExpressionParser } from 'cron-parser'

const timeZone = 'Europe/Paris'

const field = /^(?:[\d*,/-]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)+$/i

/** Five fields of numbers, names, lists, ranges and steps: what only some programs know (seconds, `@daily`) is none. */
export function isCron(text: string): boolean {
  const fields = text.split(' ')
  return fields.length === 5 && fields.every((one) => field.test(one)) && read(text, new Date()) !== null
}

/** When it is next due after that moment. */
export function nextDue(cron: string, after: Date): Date {
  const due = read(cron, after)
  if (due === null) throw new Error(`not a cron expression: ${cron}`)
  return due
}

/** Null where it cannot be read, or is never due. */
function read(cron: string, after: Date): Date | null {
  try {
    return CronExpressionParser.parse(cron, { tz: timeZone, currentDate: after }).next().toDate()
  } catch {
    return null
  }
}
