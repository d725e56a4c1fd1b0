import { CronExpressionParser } from 'cron-parser'

const timeZone = 'Europe/Paris'

const field = /^(?:[\d*,/-]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)+$/i

/**
 * True for five fields of numbers, names, lists, ranges and steps. Extensions such as seconds or `@daily` are
 * refused.
 */
export function isCron(text: string): boolean {
  const fields = text.split(' ')
  return fields.length === 5 && fields.every((one) => field.test(one)) && read(text, new Date()) !== null
}

/** Returns the next due time after a moment. */
export function nextDue(cron: string, after: Date): Date {
  const due = read(cron, after)
  if (due === null) throw new Error(`not a cron expression: ${cron}`)
  return due
}

/** Returns the next due time; null if the expression is invalid or never due. */
function read(cron: string, after: Date): Date | null {
  try {
    return CronExpressionParser.parse(cron, { tz: timeZone, currentDate: after }).next().toDate()
  } catch {
    return null
  }
}
